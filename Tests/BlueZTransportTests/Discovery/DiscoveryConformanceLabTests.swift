internal import BlueZTransport
internal import CheckIn
internal import Glibc
internal import SocketIO
internal import Synchronization
internal import Testing
internal import TransportConformance

/// The value of an environment variable.
private func environment(_ name: String) -> String? {
  // Unsafe: the text is the C library's own and is copied at once.
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// The checks of discovery in the lab, by the kernel: hci0 and hci2 advertise, hci1 looks.
@Suite(
  "Bluetooth lab: the checks of discovery", .serialized, .timeLimit(.minutes(15)),
  .enabled(if: environment("BT2_ADDRESS") != nil))
struct DiscoveryConformanceLabTests {
  @Test("discovery conforms", arguments: ConformanceSuite.discoveryChecks)
  func conforms(check: ConformanceCheck) async throws {
    let loops = try EventLoopGroup(count: 1)
    // In turn, because bluetoothd has one device for each address: of two kiosks with one address it tells one.
    let turn = Mutex(0)
    let listeners = ["hci0", "hci2"].map {
      Endpoint(scheme: "l2cap", address: $0, parameters: [Endpoint.Parameter(name: "psm", value: "0x0000")])
    }
    var subject = ConformanceSubject(
      BlueZTransport(loops: loops),
      addresses: ConformanceAddresses(
        zero: listeners[0], malformed: [Endpoint(scheme: "l2cap", address: "lobby")],
        fresh: {
          turn.withLock { turn in
            turn += 1
            return listeners[turn % 2]
          }
        }),
      timeFactor: 10, end: { await loops.shutdown() })
    subject.browsingPlace = Endpoint(scheme: "l2cap", address: "hci1")
    let result = await check.run(on: subject)
    #expect(result.failures.isEmpty, "\(result)")
  }
}
