import CheckIn
import CheckInCore
import FaultTransport
import Foundation
import Testing

/// One seed's run from beginning to end, and what was wrong with it.
struct FaultRun {
  let seed: UInt64
  let mix: FaultMix
  let hall: FaultHall
  let ada: FaultPhone
  let grace: FaultPhone

  init(
    seed: UInt64, _ transport: any Transport, addresses: (gate: String, door: String) = ("gate", "door"),
    isReal: Bool = false
  ) throws {
    self.seed = seed
    mix = FaultMix(seed: seed)
    hall = try FaultHall(transport, addresses: addresses, listening: mix.listening, isReal: isReal, seed: seed)
    ada = try hall.phone("ada")
    grace = try hall.phone("grace")
  }

  /// Records an issue, with the seed, for everything that is wrong.
  func check() async {
    do {
      for violation in try await violations() {
        Issue.record("seed \(seed), \(mix): \(violation)")
      }
    } catch {
      Issue.record("seed \(seed), \(mix): \(error)")
    }
  }

  private func violations() async throws -> [String] {
    let (hall, mix, ada, grace) = (hall, mix, ada, grace)
    var found = try await hall.open { gate, door in
      var found: [String] = []
      let faulty = Endpoint(
        scheme: gate.scheme, address: gate.address, parameters: try Endpoint("x://y?\(mix.dialling)").parameters)
      // A kiosk's silence is taken for one only where changed bytes make it likely.
      let shortest: Duration = mix.flips ? .milliseconds(60) : .seconds(10)
      let times = mix.isPassing ? 12 : 2
      let first = try await ada.visit(faulty, over: hall.registry, times: times, shortestSilence: shortest)
      found += judge(first)
      // The kiosk goes on serving: somebody else at once, and Ada again behind what faults are left at the gate.
      let other = try await grace.visit(door, over: hall.registry, times: 1)
      if case .success(let outcome)? = other.last, outcome.isSuccess {
      } else {
        found.append("the kiosk did not admit a clean attendee afterwards: \(other)")
      }
      let clean = Endpoint(scheme: gate.scheme, address: gate.address)
      if mix.isPassing {
        let again = try await ada.visit(clean, over: hall.registry, shortestSilence: shortest)
        if case .success(.answered(let answer))? = again.last, answer.reason == .alreadyAdmitted {
        } else {
          found.append("Ada was not told that she is in: \(again)")
        }
      }
      return found
    }
    found += try await ada.violations(in: hall.ledger)
    found += try await grace.violations(in: hall.ledger)
    for record in try await hall.ledger.records() where !["ada", "grace"].contains(record.entry.attendee) {
      found.append("the ledger has \(record.entry.attendee), who is nobody")
    }
    return found
  }

  /// What the faults do not excuse in the outcomes of Ada's visits.
  private func judge(_ outcomes: [Result<AttendeeOutcome, CheckInError>]) -> [String] {
    var found: [String] = []
    var isOpen = false
    for outcome in outcomes {
      switch outcome {
      case .failure(let error):
        // A gate that resets at once can be quicker than the dial.
        let cause = error.cause as? TransportError
        if !(cause?.cause is InjectedFault || cause?.code == .lost) {
          found.append("a dial failed by itself: \(error)")
        }
      case .success(.answered(let answer)):
        switch answer.reason {
        case .admitted: break
        case .alreadyAdmitted where isOpen: break
        default: found.append("answered \(answer.reason.name)")
        }
      case .success(.noAnswer(let why)):
        isOpen = true
        let isExcused = why == .silence ? mix.flips || mix.freezes : !mix.isPassing || mix.freezes
        if !isExcused { found.append("no answer: \(why.rawValue)") }
      case .success(.protocolError), .success(.refusedKiosk):
        isOpen = true
        if !mix.flips { found.append("ended as \(outcome), and no byte was changed") }
      case .success(.cancelled), .success(.failed):
        found.append("ended as \(outcome)")
      }
    }
    if mix.isPassing {
      if case .success(.answered)? = outcomes.last {} else { found.append("never answered: \(outcomes)") }
    }
    return found
  }
}

/// Runs the work for each seed, some at once; or for the one that the environment variable `FAULT_SEED` names, if it is
/// among them, to see a failure again.
func forEachSeed(_ seeds: Range<UInt64>, _ work: @escaping @Sendable (UInt64) async -> Void) async {
  let chosen = ProcessInfo.processInfo.environment["FAULT_SEED"].flatMap { UInt64($0) }
  await forEach(chosen.map { seeds.clamped(to: $0..<$0 + 1) } ?? seeds, work)
}

/// Runs the work for each number, some at once.
func forEach(
  _ numbers: Range<UInt64>, atOnce: Int = 8, _ work: @escaping @Sendable (UInt64) async -> Void
) async {
  await withDiscardingTaskGroup { group in
    let next = Turns(numbers)
    for _ in 0..<atOnce {
      group.addTask {
        while let number = next.take() { await work(number) }
      }
    }
  }
}
