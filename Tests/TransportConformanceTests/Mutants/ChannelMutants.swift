internal import CheckIn
internal import CheckInCore
internal import TransportConformance

extension Mutant {
  private init(_ check: String, _ fault: String, channel: LooseChannel.Fault) {
    let isPoisoned = Shared(false)
    self.init(
      check, "has a message channel that \(fault)",
      adjust: { subject, isBroken in
        guard isBroken else { return }
        subject.messages = { LooseChannel($0, limits: $1, fault: channel, isPoisoned: isPoisoned) }
      }, hooks: { Hooks() })
  }

  static let channelMutants: [Mutant] = [
    Mutant("M1-bodies", "keeps only two bytes of the length", channel: .shortLength),
    Mutant("M1-pieces", "takes what comes together for a frame", channel: .trustsPieces),
    Mutant("M1-many", "drops what came behind a frame", channel: .dropsRest),
    Mutant("M2-at-limit", "refuses a body at the limit", channel: .strictLimit),
    Mutant("M2-above-when-sending", "sends bodies above the limit", channel: .sendsAll),
    Mutant("M2-above-when-receiving", "receives bodies above the limit", channel: .receivesAll),
    Mutant("M2-each-way", "has one limit for both directions", channel: .oneLimit),
    Mutant("M3-empty", "lets bodies of no bytes through", channel: .allowsEmpty),
    Mutant("M4-at-once", "waits for the body before it checks the length", channel: .checksLate),
    Mutant("M4-no-memory", "allocates before it checks the length", channel: .allocatesFirst),
    Mutant("M5-dies-at-every-byte", "takes an end within a message for a good one", channel: .anyEndIsGood),
    Mutant("M6-cancelled", "drops a message of which a part has come when a receive is cancelled", channel: .dropsPart),
    Mutant("M7-wrong-first-bytes", "breaks for every connection after wrong first bytes", channel: .poisons),
  ]
}

/// A message channel with one fault.
final class LooseChannel: MessageCarrier {
  enum Fault: Sendable {
    case shortLength, trustsPieces, dropsRest, strictLimit, sendsAll, receivesAll, oneLimit, allowsEmpty, checksLate
    case allocatesFirst, anyEndIsGood, dropsPart, poisons
  }

  private let connection: any Connection
  private let limits: MessageChannel.Limits
  private let fault: Fault
  private let isPoisoned: Shared<Bool>
  private let incoming = Shared<[UInt8]>([])

  init(_ connection: any Connection, limits: MessageChannel.Limits, fault: Fault, isPoisoned: Shared<Bool>) {
    self.connection = connection
    self.limits = limits
    self.fault = fault
    self.isPoisoned = isPoisoned
  }

  deinit {
    connection.abort()
  }

  func send(_ body: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    if body.isEmpty, fault != .allowsEmpty { throw .broken(.malformed) }
    let limit = fault == .oneLimit ? limits.receive : limits.send
    if fault != .sendsAll, isAbove(body.count, limit) { throw .broken(.tooLarge) }
    var length = UInt32(truncatingIfNeeded: body.count)
    if fault == .shortLength { length &= 0xffff }
    let prefix = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    try await connection.send(prefix + body, before: deadline)
  }

  func receive(before deadline: Deadline?) async throws(TransportError) -> [UInt8]? {
    if isPoisoned.value { throw .broken(.other) }
    while true {
      if let body = try next() { return body }
      var queue = ByteQueue()
      let reception: Reception
      do throws(TransportError) {
        reception = try await connection.receive(into: &queue, before: deadline)
      } catch {
        if fault == .dropsPart, [.cancelled, .timedOut].contains(error.code) { incoming.value = [] }
        throw error
      }
      if reception == .finished {
        guard incoming.value.isEmpty || fault == .anyEndIsGood else { throw .broken(.lost) }
        return nil
      }
      incoming.value += queue.take(queue.count)
    }
  }

  func close() async { await connection.close() }
  func abort() { connection.abort() }

  private func isAbove(_ count: Int, _ limit: Int) -> Bool {
    fault == .strictLimit ? count >= limit : count > limit
  }

  private func next() throws(TransportError) -> [UInt8]? {
    let bytes = incoming.value
    guard bytes.count >= 4 else { return nil }
    if fault == .trustsPieces {
      incoming.value = []
      return Array(bytes.dropFirst(4))
    }
    let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    if fault == .allocatesFirst {
      var body: [UInt8] = []
      body.reserveCapacity(min(length, 1 << 30))
    }
    if fault != .checksLate || bytes.count >= 4 + length {
      if length == 0, fault != .allowsEmpty, fault != .shortLength { throw .broken(.malformed) }
      if fault != .receivesAll, isAbove(length, limits.receive) {
        if fault == .poisons { isPoisoned.value = true }
        throw .broken(.tooLarge)
      }
    }
    guard bytes.count >= 4 + length else { return nil }
    incoming.value = fault == .dropsRest ? [] : Array(bytes.dropFirst(4 + length))
    return Array(bytes[4..<4 + length])
  }
}
