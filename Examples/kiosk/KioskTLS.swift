internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Synchronization
internal import TLSTransport

/// The kiosk's side of TLS: its container, which is read again when it changes, and word of whom it turned away.
final class KioskTLS: Sendable {
  /// The wrapper for addresses with `tls+`.
  let transport: TLSTransport
  private let file: ContainerFile?
  private let issuer: IssuerFile
  private let clock: SystemClock
  private let log: TurnedAwayLog
  /// From before the first reading, so that no change is missed.
  private let stamp: FileStamp?

  /// Reads the container that the command line names, if it names one.
  init(_ values: CommandLineValues, issuer: IssuerFile, clock: SystemClock) throws(ExampleError) {
    self.issuer = issuer
    self.clock = clock
    file = try ContainerFile(values, program: "kiosk")
    stamp = file.map { FileStamp($0.place) }
    let log = TurnedAwayLog(clock: clock)
    self.log = log
    let credentials = try file?.credentials(issuer: issuer, peers: .attendee, clock: clock)
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

  /// Reads the container again every two seconds when it has changed, until the task is cancelled. Connections that are open
  /// go on. One that cannot be used leaves the last good one in force, and is said once.
  func watch() async {
    guard let file, let stamp else { return }
    await stamp.watch(file.place) {
      do {
        let credentials = try file.credentials(issuer: issuer, peers: .attendee, clock: clock)
        try transport.reload(dialling: nil, listening: credentials)
      } catch {
        let message = (error as? CertificateError)?.message ?? "\(error)"
        LineOutput.standardError.writeLine("kiosk: \(message.printable) The one that was read before stays in force.")
      }
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
