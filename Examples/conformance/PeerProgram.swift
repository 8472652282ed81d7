internal import CheckIn
internal import ExampleSupport
internal import TransportConformance

/// The two processes: one serves, the other runs the checks against it.
struct PeerProgram {
  let registry: TransportRegistry
  let values: CommandLineValues

  /// Serves until the program is told to end.
  func serve(at endpoint: Endpoint) async throws(ExampleError) -> ExitStatus {
    let factor = values[ConformanceCommand.timeFactor]
    let isJSON = values[ConformanceCommand.json]
    let real = RealEndpoint(endpoint)
    let peer = ConformancePeer(try transport(for: endpoint), timeFactor: factor) {
      ProgramRestart.now(
        arguments: ["--serve", real.endpoint.description, "--time-factor", "\(factor)"] + (isJSON ? ["--json"] : []))
    }
    let serving = Task { () -> Result<Void, TransportError> in
      do throws(TransportError) {
        try await peer.serve(at: endpoint) { endpoint in
          real.endpoint = endpoint
          if isJSON {
            JSONLine().write(event: "serving", [JSONMember("endpoint", .string(endpoint.description))])
          } else {
            LineOutput.standardOutput.writeLine("serving at \(endpoint)")
          }
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    let listening = try? ProcessSignals.requestsToEnd()
    let ending = Task {
      guard let requests = listening?.1 else { return }
      for await _ in requests { serving.cancel() }
    }
    defer {
      listening?.0.stop()
      ending.cancel()
    }
    if case .failure(let error) = await serving.value { throw ExampleError(error) }
    return .success
  }

  /// Runs the checks that take two processes.
  func test(_ endpoint: Endpoint) async throws(ExampleError) -> ProgramEnd {
    let transport = try transport(for: endpoint)
    let checks = try values.choice(from: ConformanceSuite.peerChecks)
    var subject = ConformanceSubject(
      transport, addresses: ConformanceAddresses(fresh: { endpoint }), timeFactor: values[ConformanceCommand.timeFactor]
    )
    subject.peer = endpoint
    let run = try TestRun(values: values, subject: subject, name: endpoint.description, checks: checks)
    do throws(TransportError) {
      let patience = Duration.seconds(5) * subject.timeFactor
      try await transport.connect(to: endpoint, before: .now + patience).abort()
    } catch {
      throw ExampleError(error)
    }
    return try await run.run()
  }

  private func transport(for endpoint: Endpoint) throws(ExampleError) -> any Transport {
    let transport: any Transport
    do throws(TransportError) {
      transport = try registry.transport(for: endpoint)
    } catch {
      throw ExampleError(error)
    }
    guard !transport.capabilities.contains(.insideProcess) else {
      throw ExampleError(
        .usage, "What is at \(endpoint) is inside of one process, and no other can reach it. Test it with --transport.")
    }
    return transport
  }
}
