internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// A client's session whose actions are kept, and a person and a server that answer as a test says.
final class ClientRig {
  private var session: EnrollmentSession<FakeCryptography>
  private(set) var actions: [EnrollmentAction] = []
  static let phone = try! PhoneNumber("+46701234567")
  static let token = SecretBytes([UInt8](repeating: 7, count: 16))

  init(_ progress: EnrollmentProgress = .fresh, settings: EnrollmentSettings = EnrollmentSettings()) {
    session = EnrollmentSession(settings: settings, cryptography: FakeCryptography(seed: 4))
    put(.start(progress))
  }

  var isEnded: Bool { session.isEnded }

  /// Hands in an input; the actions of the last one are kept.
  func put(_ input: EnrollmentInput) { actions = session.handle(input) }

  func put(_ inputs: [EnrollmentInput]) { for input in inputs { put(input) } }

  func answer(_ result: EnrollmentResult, _ change: (inout EnrollmentAnswer) -> Void = { _ in }) {
    var answer = EnrollmentAnswer(result)
    change(&answer)
    put(.answered(answer))
  }

  func status(_ status: EnrollmentStatus, reason: String? = nil) {
    answer(.done) {
      $0.status = status
      $0.reason = reason
    }
  }

  func type(_ digits: String) { for digit in digits.utf8 { put(.digit(digit - 48)) } }

  var screen: EnrollmentScreen? {
    actions.compactMap { if case .show(let screen) = $0 { screen } else { nil } }.last
  }
  var question: EnrollmentDialog? {
    actions.compactMap { if case .ask(let dialog) = $0 { dialog } else { nil } }.last
  }
  var request: EnrollmentRequest? {
    actions.compactMap { if case .request(let request) = $0 { request } else { nil } }.last
  }
  var outcome: EnrollmentOutcome? {
    actions.compactMap { if case .finish(let outcome) = $0 { outcome } else { nil } }.last
  }
  var events: [EnrollmentEvent] {
    actions.compactMap { if case .report(let event) = $0 { event } else { nil } }
  }
  var asksPicture: PictureKind? {
    actions.compactMap { if case .takePicture(let kind) = $0 { kind } else { nil } }.last
  }
  var timers: [EnrollmentTimer] {
    actions.compactMap { if case .startTimer(let timer, _) = $0 { timer } else { nil } }
  }

  /// What would be on the disk now: the progress that was asked to be kept last.
  var saved: EnrollmentProgress? {
    actions.compactMap {
      switch $0 {
      case .save(let progress): progress
      case .saveContainer: .enrolled
      case .seal: .sealed
      case .forget: .fresh
      default: nil
      }
    }.last
  }
}
