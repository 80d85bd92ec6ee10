package reported

// UntilFree is untilFree, for the tests of waiting for a locked file.
var UntilFree = untilFree
