internal import CheckIn
internal import ExampleSupport
internal import SocketIO
internal import TransportConformance

/// The conformance program: one process with both ends, or one of two processes.
struct ConformanceProgram {
  /// The most descriptors that the suite has open at once, with some to spare; a test runs all of it with so many.
  static let descriptors = 200

  private let values: CommandLineValues

  /// A program for that command line.
  init(_ values: CommandLineValues) {
    self.values = values
  }

  /// Does what the command line says, and answers how to end.
  func run() async throws(ExampleError) -> ProgramEnd {
    let mode = try ConformanceMode.of(values)
    if case .list = mode { return .status(try CheckList(values).write()) }
    try DescriptorLimit.raise(toAtLeast: Self.descriptors, for: "The conformance suite")
    let tls = try ConformanceHall.transport()
    let loops: EventLoopGroup
    let registry: TransportRegistry
    do throws(TransportError) {
      loops = try EventLoopGroup(count: 2)
      registry = try ExampleTransports.registry(loops: loops, backlog: 64, tls: tls)
    } catch {
      throw ExampleError(error)
    }
    let result = await perform(mode, registry)
    await loops.shutdown()
    return try result.get()
  }

  private func perform(
    _ mode: ConformanceMode, _ registry: TransportRegistry
  ) async -> Result<ProgramEnd, ExampleError> {
    do throws(ExampleError) {
      let peers = PeerProgram(registry: registry, values: values)
      switch mode {
      case .list: return .success(.status(.usage))
      case .serve(let endpoint): return .success(.status(try await peers.serve(at: endpoint)))
      case .against(let endpoint): return .success(try await peers.test(endpoint))
      case .test(let endpoint): return .success(try await test(endpoint, registry))
      }
    } catch {
      return .failure(error)
    }
  }

  private func test(_ endpoint: Endpoint, _ registry: TransportRegistry) async throws(ExampleError) -> ProgramEnd {
    let transport: any Transport
    do throws(TransportError) {
      transport = try registry.transport(for: endpoint)
    } catch {
      throw ExampleError(error)
    }
    let checks = try values.choice(from: ConformanceSuite.checks)
    let subject = ConformanceSubject(
      transport, addresses: try SubjectOfURL.addresses(for: endpoint, of: transport),
      packetSize: values[ConformanceCommand.packetSize],
      queueBound: SubjectOfURL.isL2CAP(endpoint) ? nil : values[ConformanceCommand.queueBound],
      timeFactor: values[ConformanceCommand.timeFactor], volumeFactor: values[ConformanceCommand.volumeFactor],
      ownsProcess: true)
    let run = try TestRun(values: values, subject: subject, name: endpoint.description, checks: checks)
    try await AddressTrial(subject).refuseUnlessUsable()
    return try await run.run()
  }
}
