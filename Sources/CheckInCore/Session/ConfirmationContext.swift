/// What a confirmation is for. Evidence may bind to any part of it.
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

  /// A context.
  public init(event: String, kiosk: String, gate: String, session: SessionID, request: RequestID, transcript: Digest) {
    self.event = event
    self.kiosk = kiosk
    self.gate = gate
    self.session = session
    self.request = request
    self.transcript = transcript
  }
}
