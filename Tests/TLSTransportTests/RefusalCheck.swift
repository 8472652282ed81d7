internal import Certificates
internal import CheckIn
internal import InMemoryTransport
internal import TLSTransport

/// One side shows a certificate that is not good; the other must refuse it, and both must say so.
enum RefusalCheck: String, CaseIterable, Sendable {
  /// The attendee's is not good, and the kiosk judges.
  case attendee
  /// The kiosk's is not good, and the attendee judges.
  case kiosk

  /// What went otherwise than it must; nothing, if all is well.
  ///
  /// - Parameter judge: how both sides judge: rightly, but for mutants.
  func complaints(
    about fault: TLSRefusalTests.Fault, judge: @escaping TLSTransport.Judge = { $1.judge($0) }
  ) async throws -> [String] {
    let hall = try TLSHall()
    let bad = try fault.credentials(self == .attendee ? .attendee : .kiosk, in: hall)
    let good = try fault.judging(self == .attendee ? hall.kiosk : hall.attendee, bad, in: hall)
    let (refusals, isRefused) = AsyncStream<TLSRefusal>.makeStream()
    let (dialling, listening) = self == .attendee ? (bad, good) : (good, bad)
    let tls = try TLSTransport(
      dialling: dialling, listening: listening, limits: TLSLimits(confirmation: .milliseconds(300)), judge: judge
    ) { isRefused.yield($0) }
    .wrap(InMemoryTransport())
    let listener = try await tls.listen(on: Endpoint("tls+memory://0"))
    var complaints: [String] = []
    do throws(TransportError) {
      _ = try await tls.connect(to: listener.endpoint, before: nil)
      complaints.append("the dial succeeded")
    } catch {
      if error.code != .certificateRefused { complaints.append("the dial failed with \(error)") }
      if self == .kiosk { complaints += fault.complaint(about: error) }
    }
    if complaints.isEmpty {
      // The listener tells of it at the latest when the dial has ended beneath.
      guard let refusal = await refusals.first(where: { _ in true }) else { return ["the listener told nothing"] }
      if refusal.error.code != .certificateRefused { complaints.append("the listener said \(refusal.error)") }
      if self == .attendee { complaints += fault.complaint(about: refusal.error) }
    }
    await listener.close()
    return complaints
  }
}

extension TLSRefusalTests.Fault {
  /// Whether the error names this fault as the cause.
  fileprivate func complaint(about error: TransportError) -> [String] {
    guard let cause = error.cause as? CertificateRefusal else { return ["no cause is named: \(error)"] }
    return cause.code == code || (self == .wrongEvent && cause.code == .otherIssuer) ? [] : ["the cause is \(cause)"]
  }
}
