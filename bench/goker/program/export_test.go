package program

// FindIn is Find in a folder.
func FindIn(dir string) ([]Kernel, error) { return find(dir) }

// WithoutProfile is the text that is built.
func (k Kernel) WithoutProfile() (string, error) { return k.withoutProfile() }
