import CheckIn
import CheckInCore
import FaultTransport
import InMemoryLedger
import Synchronization

/// A person with a phone who tries until there is an answer, and remembers everything.
final class FaultPhone: AttendeeObserver {
  private struct State {
    /// Every request that was made, and every answer that came to it.
    var answers: [RequestID: [Answer]] = [:]
    var current: RequestID?
    var connections = 0
  }

  let name: String
  private let base: AttendeeConfiguration
  private let state = Mutex(State())

  init(_ name: String, _ configuration: AttendeeConfiguration) {
    self.name = name
    base = configuration
  }

  /// How many connections the phone has had.
  var connections: Int { state.withLock { $0.connections } }
  /// The requests that the phone has made.
  var requests: Set<RequestID> { state.withLock { Set($0.answers.keys) } }
  /// The answers to each request.
  var answers: [RequestID: [Answer]] { state.withLock { $0.answers } }

  func observe(_ report: AttendeeReport, at time: WallTime) {
    state.withLock { state in
      switch report {
      case .connected: state.connections += 1
      case .session(.initialRequest(let request)):
        state.current = request
        state.answers[request, default: []] += []
      case .session(.result(let answer)):
        if let request = state.current { state.answers[request, default: []].append(answer) }
      default: break
      }
    }
  }

  /// Goes to the kiosk, up to so many times, until it answers. Every outcome on the way is returned.
  func visit(
    _ endpoint: Endpoint, over registry: TransportRegistry, times: Int = 12, shortestSilence: Duration? = nil
  ) async throws -> [Result<AttendeeOutcome, CheckInError>] {
    var configuration = base
    configuration.observer = self
    if let shortestSilence { configuration.settings.shortestSilence = shortestSilence }
    let attendee = try Attendee(configuration)
    var outcomes: [Result<AttendeeOutcome, CheckInError>] = []
    while outcomes.count < times {
      do throws(CheckInError) {
        let outcome = try await attendee.checkIn(at: endpoint, over: registry)
        outcomes.append(.success(outcome))
        if case .answered = outcome { break }
      } catch {
        outcomes.append(.failure(error))
        await Task.yield()
      }
    }
    return outcomes
  }

  /// What must hold whatever happened on the way (R18, R22).
  func violations(in ledger: InMemoryLedger) async throws -> [String] {
    let records = try await ledger.records().filter { $0.entry.attendee == name }
    let admissions = records.filter { $0.answer.isSuccess }
    var found: [String] = []
    if admissions.count > 1 { found.append("\(name) was admitted \(admissions.count) times") }
    let requests = requests
    for record in records where !requests.contains(record.entry.request) {
      found.append("the ledger has a request that \(name) never made")
    }
    for (request, answers) in answers {
      if Set(answers).count > 1 { found.append("one request of \(name) had different answers: \(answers)") }
      for answer in answers where answer.isSuccess {
        if !admissions.contains(where: { $0.entry.request == request && $0.answer == answer }) {
          found.append("\(name) was told true, and the ledger has no such admission")
        }
      }
      for answer in answers where answer.reason == .alreadyAdmitted {
        if admissions.contains(where: { $0.entry.request == request }) {
          found.append("\(name)'s own admission was told as already_admitted")
        }
        if admissions.first?.answer.admittedAt != answer.admittedAt {
          found.append("already_admitted names another time than the admission's")
        }
      }
    }
    return found
  }
}
