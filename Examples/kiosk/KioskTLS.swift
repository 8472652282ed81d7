internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Synchronization
internal import TLSTransport

/// The kiosk's side of TLS: its container, whom it believes, and word of whom it turned away.
final class KioskTLS: Sendable {
  /// The wrapper for addresses with `tls+`.
  let transport: TLSTransport
  /// Tells when the container is to be read again; nil without one.
  let watch: FileWatch?
  private let file: ContainerFile?
  private let issuer: IssuerFile
  private let clock: SystemClock
  private let log: TurnedAwayLog
  /// What connections begin with now. Held while it is replaced, so that the last to change it is the last in force.
  private let credentials: Mutex<TLSCredentials?>

  /// Reads the container that the command line names, if it names one.
  init(
    _ values: CommandLineValues, issuer: IssuerFile, takenBack: RevocationList?, clock: SystemClock
  ) throws(ExampleError) {
    self.issuer = issuer
    self.clock = clock
    file = try ContainerFile(values, program: "kiosk")
    watch = file.map { FileWatch($0.place) }
    let log = TurnedAwayLog(clock: clock)
    self.log = log
    let credentials = try file?.credentials(
      as: .kiosk, issuer: issuer, peers: .attendee, takenBack: takenBack, clock: clock)
    self.credentials = Mutex(credentials)
    do throws(CertificateError) {
      transport = try TLSTransport(dialling: nil, listening: credentials) { log.note($0) }
    } catch {
      throw ExampleError(.badData, error.message)
    }
  }

  /// Tells an observer of those who are turned away, from now on.
  func report(to observer: any KioskObserver) {
    log.report(to: observer)
  }

  /// Whose container is in force, with its serial; nil without one.
  var holder: String? {
    credentials.withLock { $0.map { "\($0.chain[0].name), serial \(hexadecimal($0.chain[0].serial))" } }
  }

  /// Reads the container again. Connections that are open go on. One that cannot be used leaves the
  /// last good one in force.
  ///
  /// - Parameter takenBack: asked for the list when the container takes its place, so that a list that came in between counts.
  func readAgain(takenBack: TakenBack) throws(ExampleError) {
    guard let file else { return }
    let new = try file.credentials(as: .kiosk, issuer: issuer, peers: .attendee, clock: clock)
    try replace { credentials in
      credentials = new
      judge(&credentials, by: takenBack.list)
    }
  }

  /// Certificates that are judged from now on are judged by this list.
  func replace(takenBack list: RevocationList) throws(ExampleError) {
    try replace { judge(&$0, by: list) }
  }

  private func judge(_ credentials: inout TLSCredentials?, by list: RevocationList?) {
    guard let policy = ContainerFile.policy(issuer: issuer, peers: .attendee, takenBack: list, clock: clock) else {
      return
    }
    credentials?.policy = policy
  }

  private func replace(_ change: (inout TLSCredentials?) -> Void) throws(ExampleError) {
    do throws(CertificateError) {
      try credentials.withLock { current throws(CertificateError) in
        var new = current
        change(&new)
        guard let new else { return }
        try transport.reload(dialling: nil, listening: new)
        current = new
      }
    } catch {
      throw ExampleError(.badData, error.message)
    }
  }
}

/// Passes on who was turned away, at most ten a second: strangers must not fill the log.
private final class TurnedAwayLog: Sendable {
  private struct State {
    var observer: (any KioskObserver)?
    var second: Int64 = 0
    var count = 0
  }

  private let clock: SystemClock
  private let state = Mutex(State())

  init(clock: SystemClock) {
    self.clock = clock
  }

  func report(to observer: any KioskObserver) {
    state.withLock { $0.observer = observer }
  }

  func note(_ refusal: TLSRefusal) {
    let time = clock.now.wall
    let observer = state.withLock { state -> (any KioskObserver)? in
      if state.second != time.secondsSince1970 {
        state.second = time.secondsSince1970
        state.count = 0
      }
      state.count += 1
      return state.count <= 10 ? state.observer : nil
    }
    observer?.observe(.peerTurnedAway(from: refusal.peer, refusal.error), at: time)
  }
}
