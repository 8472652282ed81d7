internal import CheckIn
internal import ExampleSupport
internal import SocketIO
internal import Testing

@Suite("What is said of an address that cannot be used")
struct AddressErrorTests {
  private static let command = CommandLineCommand(
    "sample", summary: "does something",
    arguments: [CommandLineArgument<Endpoint>.required("connect", ExampleTransports.format, "Where.")])

  private func isSentence(_ message: String) -> Bool {
    !message.hasSuffix("..") && !message.hasSuffix("?.") && (message.hasSuffix(".") || message.hasSuffix("?"))
  }

  @Test(
    "ends with one full stop, whatever the reader of URLs finds",
    arguments: [
      "", ".", "lobby.", "127.0.0.1:7443", "://x", "1tcp://x", "t_p://x", "tcp.://%", "tcp://%", "tcp://%4",
      "tcp://%zz",
      "tcp://%+1", "tcp://%ff", "tcp://x?=1", "tcp://x?%=1", "tcp://x?a=%", "tcp://x?a.=%", "tcp://x?a=1&a=2",
      "tcp://x?a.=1&a.=2", "tcp://" + String(repeating: ".", count: 2000),
    ])
  func parserErrors(url: String) throws {
    let error = try #require(throws: CommandLineError.self) { _ = try Self.command.parse(["--connect", url]) }
    #expect(error.message.contains("cannot be used for --connect"))
    #expect(isSentence(error.message), "\(error.message)")
  }

  @Test("ends with one full stop, whatever the transports find", .timeLimit(.minutes(1)))
  func transportErrors() async throws {
    let loops = try EventLoopGroup(count: 1)
    let registry = try ExampleTransports.registry(loops: loops)
    let addresses = [
      "tcp://127.0.0.1", "tcp://127.0.0.1:", "tcp://h.:99999", "tcp://[::1:1", "tcp://[x.]:1", "tcp://:1",
      "tcp://::1:1",
      "tcp://1.2.3.:1", "tcp://a b:1", "tcp://127.0.0.1:1?x.=1", "unix://x", "unix:///x/", "unix:///a.?mode=9.",
      "unix:///a?b.", "unix:///a%00.", "unix:///" + String(repeating: ".", count: 200), "memory://", "memory://a%20.",
      "memory://x?y.", "tpc://x.", "pigeon://x", "fault+pigeon://x", "fault+memory://x?drop=.", "fault+memory://x?.=1",
    ]
    for address in addresses {
      let endpoint = try Endpoint(address)
      for dials in [true, false] {
        do throws(TransportError) {
          if dials {
            _ = try await registry.connect(to: endpoint)
          } else {
            _ = try await registry.listen(on: endpoint)
          }
          Issue.record("\(address) can be used")
        } catch {
          #expect([.addressMalformed, .unsupported].contains(error.code), "\(error)")
          #expect(isSentence(error.message), "\(error.message)")
        }
      }
    }
    await loops.shutdown()
  }

  @Test(
    "ends with one full stop for a word that ends with one", arguments: ["--conect.", "connect.", "--.", "--json=."])
  func words(word: String) throws {
    let error = try #require(throws: CommandLineError.self) { _ = try Self.command.parse([word]) }
    #expect(isSentence(error.message), "\(error.message)")
  }
}
