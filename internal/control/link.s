// Present so that the compiler accepts functions without a body; the overlay
// gives them one.
