package reported

// UntilFree is untilFree, which waits for a locked file.
var UntilFree = untilFree
