internal import CheckIn
internal import ExampleSupport
internal import SocketIO
internal import TransportConformance

/// The conformance program: one process with both ends, or one of two processes.
struct ConformanceProgram {
  private let values: CommandLineValues

  /// A program for that command line.
  init(_ values: CommandLineValues) {
    self.values = values
  }

  /// Does what the command line says, and answers what to tell the shell.
  func run() async throws(ExampleError) -> ExitStatus {
    if values[ConformanceCommand.list] { return CheckList(isJSON: values[ConformanceCommand.json]).write() }
    let modes = [ConformanceCommand.transport, ConformanceCommand.serve, ConformanceCommand.against]
    guard modes.count(where: { values[$0] != nil }) == 1 else {
      throw ExampleError(.usage, "Give one of --transport, --serve and --against, or --list.")
    }
    let tls = try ConformanceHall.transport()
    let loops: EventLoopGroup
    let registry: TransportRegistry
    do throws(TransportError) {
      loops = try EventLoopGroup(count: 2)
      registry = try ExampleTransports.registry(loops: loops, backlog: 64, tls: tls)
    } catch {
      throw ExampleError(error)
    }
    let result = await perform(registry)
    await loops.shutdown()
    return try result.get()
  }

  private func perform(_ registry: TransportRegistry) async -> Result<ExitStatus, ExampleError> {
    do throws(ExampleError) {
      let peers = PeerProgram(registry: registry, values: values)
      if let endpoint = values[ConformanceCommand.serve] { return .success(try await peers.serve(at: endpoint)) }
      if let endpoint = values[ConformanceCommand.against] { return .success(try await peers.test(endpoint)) }
      guard let endpoint = values[ConformanceCommand.transport] else { return .success(.usage) }
      return .success(try await test(endpoint, registry))
    } catch {
      return .failure(error)
    }
  }

  private func test(_ endpoint: Endpoint, _ registry: TransportRegistry) async throws(ExampleError) -> ExitStatus {
    let transport: any Transport
    do throws(TransportError) {
      transport = try registry.transport(for: endpoint)
    } catch {
      throw ExampleError(error)
    }
    let checks: [ConformanceCheck]
    do throws(ConformanceSelectionError) {
      checks = try ConformanceSuite.checks(
        only: values[ConformanceCommand.only], skipping: values[ConformanceCommand.skip])
    } catch {
      throw ExampleError(.usage, "\(error) --list shows them.")
    }
    let subject = ConformanceSubject(
      transport, addresses: try SubjectOfURL.addresses(for: endpoint, of: transport),
      packetSize: values[ConformanceCommand.packetSize],
      queueBound: SubjectOfURL.isL2CAP(endpoint) ? nil : values[ConformanceCommand.queueBound],
      timeFactor: values[ConformanceCommand.timeFactor], ownsProcess: true)
    try await refuseUnlessReadable(subject)
    return try await TestRun(values: values, subject: subject, name: endpoint.description, checks: checks).run()
  }

  /// A URL that the transport itself cannot read is the person's mistake, and no finding. Whatever else goes wrong is
  /// for the checks to find.
  private func refuseUnlessReadable(_ subject: ConformanceSubject) async throws(ExampleError) {
    let endpoint = subject.addresses.fresh()
    let transport = subject.transport
    let listening = Task { try await transport.listen(on: endpoint).close() }
    let limit = Task {
      try await Task.sleep(for: .seconds(5) * subject.timeFactor)
      listening.cancel()
    }
    let result = await listening.result
    limit.cancel()
    if case .failure(let error as TransportError) = result, error.code == .addressMalformed {
      throw ExampleError(.usage, error.message)
    }
  }
}
