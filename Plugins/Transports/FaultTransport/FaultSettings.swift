/// What the parameters of one endpoint ask for.
struct FaultSettings: Hashable, Sendable {
  /// What is asked for one direction.
  struct Direction: Hashable, Sendable {
    /// Nanoseconds.
    var delay: ClosedRange<UInt64>?
    var split: ClosedRange<UInt64>?
    var stallAfter: ClosedRange<UInt64>?
    /// Nanoseconds; nil: for ever.
    var stallFor: ClosedRange<UInt64>?
    var cutAfter: ClosedRange<UInt64>?
    var resetAfter: ClosedRange<UInt64>?
    var drop = FaultChance.never
    var flip = FaultChance.never
    var flipAt: ClosedRange<UInt64>?
  }

  var seed: UInt64 = 0
  /// Nil: all.
  var first: UInt64?
  var refuse = FaultChance.never
  /// Nanoseconds.
  var dialDelay: ClosedRange<UInt64>?
  var failAccept = FaultChance.never
  var dropAccept = FaultChance.never
  /// Nanoseconds.
  var coalesce: UInt64?
  var loseOnClose: ClosedRange<UInt64>?
  var send = Direction()
  var receive = Direction()

  /// Whether the connection of that number has faults.
  func concern(_ number: UInt64) -> Bool {
    first.map { number <= $0 } ?? true
  }

  /// The draws of one connection.
  func draws(_ side: InjectedFault.Side, _ number: UInt64) -> FaultDraws {
    FaultDraws(seed: seed).derived(side == .dialled ? 1 : 2).derived(number)
  }
}
