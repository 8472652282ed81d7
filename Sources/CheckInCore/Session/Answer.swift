/// The kiosk's last word on a request: what is stored under the request's identifier and told to the phone (R17, R18).
public struct Answer: Hashable, Sendable {
  /// Why. Only ``Reason/admitted`` is a success.
  public let reason: Reason
  /// When the attendee was admitted: now for ``Reason/admitted``, then for ``Reason/alreadyAdmitted``, else nil.
  public let admittedAt: WallTime?
  /// The gate of that admission.
  public let gate: String?
  /// How long to wait before trying again, whole seconds; for ``Reason/tooManyAttempts`` and ``Reason/busy``.
  public let retryAfter: Duration?

  /// An answer. The optional parts belong to the reasons that their comments name.
  public init(_ reason: Reason, admittedAt: WallTime? = nil, gate: String? = nil, retryAfter: Duration? = nil) {
    self.reason = reason
    self.admittedAt = admittedAt
    self.gate = gate
    self.retryAfter = retryAfter
  }

  /// What the phone is told: true or false.
  public var isSuccess: Bool { reason == .admitted }
}
