// Package footprint shows Go's fuzzer facts that no branch of the program depends on, as a hash: of the order of two operations, for
// example. The fuzzer keeps inputs that take a branch which no input took before; [Mark] has a table of branches, one for each hash.
//
// Use it at the end of a fuzz target's function. It does nothing in a program that was not built for fuzzing.
//
// Limit: the fuzzer cannot distinguish hashes with the same remainder modulo [Marks].
package footprint

// Marks is the number of hashes that can be distinguished.
const Marks = 64 * 64

// Mark takes the branch of a hash. If an input takes it repeatedly, it is new again at two times, four times and so on.
func Mark(hash uint64) { rows[hash/64%64](hash) }

// rows are 64 copies of one function: the compiler makes one, with counters of its own, for each size of an array.
var rows = [64]func(uint64){
	row[[1]byte], row[[2]byte], row[[3]byte], row[[4]byte], row[[5]byte], row[[6]byte], row[[7]byte], row[[8]byte],
	row[[9]byte], row[[10]byte], row[[11]byte], row[[12]byte], row[[13]byte], row[[14]byte], row[[15]byte], row[[16]byte],
	row[[17]byte], row[[18]byte], row[[19]byte], row[[20]byte], row[[21]byte], row[[22]byte], row[[23]byte], row[[24]byte],
	row[[25]byte], row[[26]byte], row[[27]byte], row[[28]byte], row[[29]byte], row[[30]byte], row[[31]byte], row[[32]byte],
	row[[33]byte], row[[34]byte], row[[35]byte], row[[36]byte], row[[37]byte], row[[38]byte], row[[39]byte], row[[40]byte],
	row[[41]byte], row[[42]byte], row[[43]byte], row[[44]byte], row[[45]byte], row[[46]byte], row[[47]byte], row[[48]byte],
	row[[49]byte], row[[50]byte], row[[51]byte], row[[52]byte], row[[53]byte], row[[54]byte], row[[55]byte], row[[56]byte],
	row[[57]byte], row[[58]byte], row[[59]byte], row[[60]byte], row[[61]byte], row[[62]byte], row[[63]byte], row[[64]byte],
}

// row has one branch for each hash, only for the fuzzer's counter in it.
func row[S any](hash uint64) {
	switch hash % 64 {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
	case 5:
	case 6:
	case 7:
	case 8:
	case 9:
	case 10:
	case 11:
	case 12:
	case 13:
	case 14:
	case 15:
	case 16:
	case 17:
	case 18:
	case 19:
	case 20:
	case 21:
	case 22:
	case 23:
	case 24:
	case 25:
	case 26:
	case 27:
	case 28:
	case 29:
	case 30:
	case 31:
	case 32:
	case 33:
	case 34:
	case 35:
	case 36:
	case 37:
	case 38:
	case 39:
	case 40:
	case 41:
	case 42:
	case 43:
	case 44:
	case 45:
	case 46:
	case 47:
	case 48:
	case 49:
	case 50:
	case 51:
	case 52:
	case 53:
	case 54:
	case 55:
	case 56:
	case 57:
	case 58:
	case 59:
	case 60:
	case 61:
	case 62:
	case 63:
	}
}
