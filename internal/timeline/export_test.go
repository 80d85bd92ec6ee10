package timeline

// Width is the number of terminal cells that a string takes.
var Width = width
