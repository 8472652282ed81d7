internal import Certificates
internal import CheckIn
internal import Synchronization
internal import TLSTransport

/// Swallows close_notify: a side that ends does not say so in TLS.
final class SwallowsNotice: FaultyEnd {
  private let isFinishing = Mutex(false)

  func finishes() {
    isFinishing.withLock { $0 = true }
  }

  func sending(_ bytes: [UInt8]) -> [UInt8] {
    guard isFinishing.withLock({ $0 }) else { return bytes }
    var kept: [UInt8] = []
    var rest = bytes[...]
    while rest.count >= 5 {
      let start = rest.startIndex
      let length = 5 + Int(rest[start + 3]) << 8 + Int(rest[start + 4])
      let record = rest.prefix(length)
      rest = rest.dropFirst(length)
      // An alert has two bytes, one of its type, and a tag of sixteen (RFC 8446 §5.2, §6). Of what the check sends nothing else
      // is as long.
      if record.count != 5 + 19 { kept += record }
    }
    return kept + rest
  }
}

/// Treats truncation as the end: where the stream beneath has ended, so has the one in TLS, whether that was said or not.
final class TruncationIsEnd: FaultyEnd {
  private let hasEnded = Mutex(false)

  func arrived(_ reception: Reception) {
    if reception == .finished { hasEnded.withLock { $0 = true } }
  }

  func received(_ answer: Result<Reception, TransportError>) -> Result<Reception, TransportError> {
    if case .failure(let error) = answer, error.code == .lost, hasEnded.withLock({ $0 }) { return .success(.finished) }
    return answer
  }
}

/// Layers that change nothing.
final class NoFault: FaultyEnd {}

/// Ways to judge certificates wrongly.
enum WrongJudgement: String, CaseIterable {
  /// Whatever the peer shows is believed.
  case acceptsAny
  /// A certificate of the other role is believed too.
  case ignoresRole

  /// Judges as ``CertificatePolicy`` does, but for the fault.
  func judge(_ chain: [Certificate], _ policy: CertificatePolicy) -> Result<Certificate, CertificateRefusal> {
    let right = policy.judge(chain)
    guard case .failure(let refusal) = right, let leaf = chain.first else { return right }
    return self == .acceptsAny || refusal.code == .wrongRole ? .success(leaf) : right
  }
}
