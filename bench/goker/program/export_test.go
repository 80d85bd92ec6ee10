package program

// FindIn finds the kernels in a folder.
func FindIn(dir string) ([]Kernel, error) { return find(dir) }

// WithoutProfile returns the text that is built.
func (k Kernel) WithoutProfile() (string, error) { return k.withoutProfile() }
