// Measures swift-checkin beside others: “make bench” and “make bench-quick” run it. See Documentation/Performance.md.
internal import CPeers
internal import Glibc
internal import Scene

#if DEBUG
  print("bench: a debug build says nothing about speed. Build it with “-c release”.")
  exit(70)
#else
  let arguments = Array(CommandLine.arguments.dropFirst())
  // Should something wait without end, this ends it: the parts sooner than the whole.
  alarm(["measure", "serve"].contains(arguments.first) ? 300 : 7_200)
  exit(await run(arguments))
#endif

/// Does what the arguments say, and answers the exit status.
func run(_ arguments: [String]) async -> Int32 {
  do {
    switch arguments.first {
    case "measure":
      guard arguments.count == 3, let count = Int(arguments[2]), count > 0,
        let workload = Workload.all.first(where: { $0.name == arguments[1] })
      else { throw BenchmarkError("There is no such workload.") }
      workload.pin()
      print(try await workload.measure(count))
      return 0
    case "serve":
      guard arguments.count == 4, let port = UInt16(arguments[2]), let count = Int(arguments[3]),
        let part = Part.all.first(where: { $0.name == arguments[1] })
      else { throw BenchmarkError("There is no such part.") }
      peer_pin(0)
      try await part.play(port, count)
      return 0
    default:
      guard let command = Command(arguments) else {
        print(Command.usage)
        return 64
      }
      return try command.run() ? 0 : 1
    }
  } catch {
    var message = "bench: \(error)\n"
    message.withUTF8 { bytes in
      // Unsafe: the system reads the bytes during the call.
      unsafe _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
    return 70
  }
}
