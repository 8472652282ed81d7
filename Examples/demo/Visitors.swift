internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import MockBiometricAuthenticator

/// Lets people come to the kiosk, one after another.
struct Visitors {
  let kiosk: Kiosk
  let endpoint: Endpoint
  let registry: TransportRegistry
  let story: Story

  /// The person comes, answers the phone's question so, and types the PIN if the phone shows one.
  func come(_ person: Person, saying choice: MockBiometricProver.Choice) async throws(ExampleError) -> AttendeeOutcome {
    let (pins, continuation) = AsyncStream.makeStream(of: PIN.self)
    let configuration = story.phone(of: person, saying: choice, pins: continuation)
    let result = await withTaskGroup(
      of: Result<AttendeeOutcome, CheckInError>?.self, returning: Result<AttendeeOutcome, CheckInError>?.self
    ) { group in
      group.addTask {
        defer { continuation.finish() }
        do throws(CheckInError) {
          return .success(try await Attendee(configuration).checkIn(at: endpoint, over: registry))
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        for await pin in pins {
          story.type(pin, at: kiosk, as: person.name)
        }
        return nil
      }
      var outcome: Result<AttendeeOutcome, CheckInError>?
      for await result in group {
        outcome = outcome ?? result
      }
      return outcome
    }
    switch result {
    case .success(let outcome): return outcome
    case .failure(let error): throw ExampleError(error)
    case nil: throw ExampleError(.internal, "The visit of \(person.name) had no end.")
    }
  }
}
