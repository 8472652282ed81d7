/// What an organizer took back at one event, signed by the event's issuer, as kiosks get it: attendees with every ticket and
/// certificate they have, and single tickets and certificates by their serials.
///
/// The number rises with each list, so that an old one, which its issuer once signed rightly, is not taken for the newest
/// (``refusal(after:)``). The signature is under data of its own: no ticket or message verifies as a list, and no list as one
/// of them.
public struct RevocationList: Hashable, Sendable {
  /// The event's identifier.
  public let event: String
  /// Larger than that of every earlier list of the event; at least 1.
  public let number: Int64
  /// When it was signed, for people. It decides nothing.
  public let issuedAt: WallTime
  /// Identifiers of attendees, each once, in the order of their encodings.
  public let attendees: [String]
  /// Serials of tickets (``Credential/serial``) and certificates, each once, in the order of their encodings.
  public let serials: [[UInt8]]

  /// A list. What is named twice is in it once.
  public init(
    event: String, number: Int64, issuedAt: WallTime, attendees: some Sequence<String>, serials: some Sequence<[UInt8]>
  ) {
    self.event = event
    self.number = number
    self.issuedAt = issuedAt
    let names = RevocationList.ordered(attendees.map { Array($0.utf8) })
    self.attendees = names.map { String(decoding: $0, as: UTF8.self) }
    self.serials = RevocationList.ordered(Array(serials))
  }

  /// A list as it was read: both arrays are in order.
  init(event: String, number: Int64, issuedAt: WallTime, ordered attendees: [String], _ serials: [[UInt8]]) {
    self.event = event
    self.number = number
    self.issuedAt = issuedAt
    self.attendees = attendees
    self.serials = serials
  }

  /// What stands against taking this list in the place of one that is in force: that it is ``RevocationListError/older(number:than:)``,
  /// or another one with the ``RevocationListError/sameNumber(_:)``. Nil: nothing does; the same list again does not.
  public func refusal(after old: RevocationList) -> RevocationListError? {
    guard number >= old.number else { return .older(number: number, than: old.number) }
    // Compared as signed contents: an ES256 signature is another each time.
    return number > old.number || self == old ? nil : .sameNumber(number)
  }

  /// Whether one byte string stands before another where both are encoded (RFC 8949 §4.2.1): the shorter first.
  static func stands(_ left: [UInt8], before right: [UInt8]) -> Bool {
    left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
  }

  private static func ordered(_ items: [[UInt8]]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for item in items.sorted(by: stands) where item != result.last {
      result.append(item)
    }
    return result
  }

  /// Two lists are the same when each part is, byte for byte.
  public static func == (left: RevocationList, right: RevocationList) -> Bool {
    left.number == right.number && left.issuedAt == right.issuedAt && left.serials == right.serials
      && left.event.utf8.elementsEqual(right.event.utf8) && left.attendees.count == right.attendees.count
      && zip(left.attendees, right.attendees).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  /// Feeds number and time, which tell lists apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(issuedAt)
  }
}
