package schedule

// A RNG is a small repeatable random stream (splitmix64, Steele et al., OOPSLA
// 2014). Its state is its seed.
type RNG uint64

func (r *RNG) Next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// N returns a number from 0 to n-1.
func (r *RNG) N(n int) int { return int(r.Next() % uint64(n)) }
