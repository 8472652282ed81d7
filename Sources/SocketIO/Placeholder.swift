/// Filled in next.
