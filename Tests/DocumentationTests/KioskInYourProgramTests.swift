internal import CheckIn
internal import CheckInCore
internal import Testing

@Suite("README: a kiosk in your program", .timeLimit(.minutes(1)))
struct KioskInYourProgramTests {
  @Test("shows its welcome, and serves until it is cancelled")
  func serves() async throws {
    let meetup = try Meetup()
    let (credential, key) = try meetup.kiosk()
    let screen = KioskScreen()
    let issuer = meetup.issuer
    let running = Task { try await runKiosk(key: key, credential: credential, issuer: issuer, screen: screen) }
    let endedByItself = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        _ = await running.result
        return true
      }
      group.addTask {
        for await view in screen.views {
          #expect(view == .welcome(.init(event: "Swift Meetup", kiosk: "Hall A", gate: "North")))
          break
        }
        try? await Task.sleep(for: .milliseconds(100))
        return false
      }
      let first = await group.next()
      running.cancel()
      return first
    }
    #expect(endedByItself == false)
    try await running.value
  }
}
