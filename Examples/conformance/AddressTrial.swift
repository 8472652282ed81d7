internal import CheckIn
internal import ExampleSupport
internal import TransportConformance

/// Tries the address of a URL once, before any check: one that nobody could listen at or dial is the person’s mistake,
/// or their machine’s, and no finding. Whatever else goes wrong is for the checks to find.
struct AddressTrial {
  private let subject: ConformanceSubject

  /// A trial of a fresh address of that subject.
  init(_ subject: ConformanceSubject) {
    self.subject = subject
  }

  /// Listens, and dials where it listens.
  func refuseUnlessUsable() async throws(ExampleError) {
    let endpoint = subject.addresses.fresh()
    let transport = subject.transport
    let patience = Duration.seconds(5) * subject.timeFactor
    let trial = Task { () -> TransportError? in
      do throws(TransportError) {
        let listener = try await transport.listen(on: endpoint)
        do throws(TransportError) {
          try await transport.connect(to: listener.endpoint, before: .now + patience).abort()
        } catch {
          await listener.close()
          // A dial may be refused by faults that the URL itself asks for.
          return [.addressMalformed, .addressUnavailable, .unreachable].contains(error.code) ? error : nil
        }
        await listener.close()
        return nil
      } catch {
        return error.code == .cancelled ? nil : error
      }
    }
    let limit = Task {
      try await Task.sleep(for: patience * 2)
      trial.cancel()
    }
    let error = await trial.value
    limit.cancel()
    if let error { throw ExampleError(error) }
  }
}
