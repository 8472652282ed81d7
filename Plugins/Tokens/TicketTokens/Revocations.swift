public import CheckInCore

/// What an organizer took back: single tickets by their serial numbers, and attendees with every ticket they have.
public struct Revocations: Hashable, Sendable {
  /// Serial numbers of tickets (``Credential/serial``).
  public var serials: Set<[UInt8]>
  /// Identifiers of attendees (``Credential/subject``).
  public var attendees: Set<String>

  /// A list; empty unless something is named.
  public init(serials: Set<[UInt8]> = [], attendees: Set<String> = []) {
    self.serials = serials
    self.attendees = attendees
  }

  /// Whether the ticket, or its attendee, was taken back.
  public func contains(_ ticket: Credential) -> Bool {
    serials.contains(ticket.serial) || attendees.contains(ticket.subject)
  }
}
