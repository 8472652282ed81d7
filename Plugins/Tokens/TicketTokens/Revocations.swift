public import CheckInCore

/// What an organizer took back: single tickets by their serial numbers, and attendees with every ticket they have.
public struct Revocations: Hashable, Sendable {
  /// Serial numbers of tickets (``Credential/serial``).
  public var serials: Set<[UInt8]> {
    didSet { significantSerials = Set(serials.map(Revocations.significant)) }
  }
  /// Identifiers of attendees (``Credential/subject``).
  public var attendees: Set<String>
  private var significantSerials: Set<[UInt8]>

  /// A list; empty unless something is named.
  public init(serials: Set<[UInt8]> = [], attendees: Set<String> = []) {
    self.serials = serials
    self.attendees = attendees
    significantSerials = Set(serials.map(Revocations.significant))
  }

  /// What the event's issuer signed.
  public init(_ list: RevocationList) {
    self.init(serials: Set(list.serials), attendees: Set(list.attendees))
  }

  /// Whether the ticket, or its attendee, was taken back. Zeros in front of a serial do not matter, as in certificates.
  public func contains(_ ticket: Credential) -> Bool {
    attendees.contains(ticket.subject) || significantSerials.contains(Revocations.significant(ticket.serial))
  }

  private static func significant(_ serial: [UInt8]) -> [UInt8] {
    Array(serial.drop { $0 == 0 })
  }
}
