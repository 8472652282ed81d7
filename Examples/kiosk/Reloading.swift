internal import CheckIn
internal import CheckInCore
internal import ExampleSupport

/// Reads the container and the list of what was taken back again: when they change, and when someone asks (SIGHUP). Sessions
/// that go on are not disturbed.
struct Reloading: Sendable {
  let tls: KioskTLS
  let takenBack: TakenBack
  let tokens: Tokens
  let ledger: any Ledger
  let observer: any KioskObserver
  let clock: SystemClock
  /// Whether what is wrong may be said on standard error: not where it is the terminal that the screen is on.
  let saysOnStandardError: Bool

  /// Asks to read both again.
  func ask() {
    tls.watch?.ask()
    takenBack.watch?.ask()
  }

  /// Says what is in force at the start.
  func announce() {
    if let holder = tls.holder { tell(.inForce(.container, containerText(holder))) }
    if let list = takenBack.list { tell(.inForce(.revocations, listText(list))) }
  }

  /// Watches both until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      if let watch = tls.watch { group.addTask { await watch.run { readContainer() } } }
      if let watch = takenBack.watch { group.addTask { await watch.run { await readList() } } }
    }
  }

  private func readContainer() {
    do throws(ExampleError) {
      try tls.readAgain(takenBack: takenBack)
      tell(.reloaded(.container, containerText(tls.holder ?? "nobody")))
    } catch {
      tellFailure(of: .container, error.description)
    }
  }

  private func readList() async {
    do throws(ExampleError) {
      guard let (list, unremembered) = try await takenBack.readAgain(rememberingIn: ledger) else {
        // As it was; but a complaint about it, if there was one, is over.
        if let list = takenBack.list { tell(.reloaded(.revocations, listText(list))) }
        return
      }
      tokens.replace(takenBack: list)
      try tls.replace(takenBack: list)
      tell(.reloaded(.revocations, listText(list)))
      if let unremembered { tell(.ledgerFailed(unremembered)) }
    } catch {
      tellFailure(of: .revocations, error.description)
    }
  }

  private func containerText(_ holder: String) -> String { "The container is that of \(holder)." }

  private func listText(_ list: RevocationList) -> String { "In force: \(list.summary)." }

  private func tell(_ report: KioskReport) {
    observer.observe(report, at: clock.now.wall)
  }

  private func tellFailure(of part: KioskReport.Part, _ why: String) {
    tell(.reloadFailed(part, why))
    if saysOnStandardError {
      LineOutput.standardError.say("kiosk: \(why.printable) What was in force before stays in force.")
    }
  }
}
