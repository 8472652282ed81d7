internal import Testing

/// Tests that keep the machine busy: one after the other, so that they do not starve each other.
@Suite("Under load", .serialized)
enum Heavy {}
