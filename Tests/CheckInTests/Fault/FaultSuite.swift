import Testing

/// The tests of the check-in under faults: many small runs, some at once, so one test at a time is enough for a machine.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum FaultSuite {}
