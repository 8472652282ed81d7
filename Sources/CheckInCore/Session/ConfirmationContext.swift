/// What a confirmation is for. Evidence may bind to any part of it but ``attendee``.
public struct ConfirmationContext: Hashable, Sendable {
  /// The name of the event.
  public let event: String
  /// The kiosk's name.
  public let kiosk: String
  /// The gate.
  public let gate: String
  /// The session.
  public let session: SessionID
  /// The request.
  public let request: RequestID
  /// A hash of everything that both sides have said and signed in this session so far: fresh, and the same at both ends.
  public let transcript: Digest
  /// The name of the person who is to confirm, for people: whoever has several tickets on one phone sees whose it is. Nil
  /// where it is not known. The two ends may have different ones, since each has its own from elsewhere.
  public let attendee: String?

  /// A context.
  public init(
    event: String, kiosk: String, gate: String, session: SessionID, request: RequestID, transcript: Digest,
    attendee: String? = nil
  ) {
    self.event = event
    self.kiosk = kiosk
    self.gate = gate
    self.session = session
    self.request = request
    self.transcript = transcript
    self.attendee = attendee
  }
}
