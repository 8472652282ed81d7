import CheckIn
import CheckInCore
import FaultTransport
import InMemoryTransport
import Testing

extension FaultSuite {
  /// The whole exchange, broken at each of its bytes in turn.
  @Suite struct CutEverywhereTests {
    enum Side: String, CaseIterable {
      case dialling, listening
    }

    /// Breaks the first connection at a byte, and answers how many connections the phone needed.
    private static func connections(_ fault: String, _ side: Side, at place: UInt64) async throws -> Int {
      let query = "seed=\(place)&first=1&\(fault):\(place)"
      let hall = try FaultHall(listening: side == .listening ? query : "", seed: place)
      let ada = try hall.phone("ada")
      let grace = try hall.phone("grace")
      let (outcomes, other) = try await hall.open { gate, door in
        let parameters = side == .dialling ? try Endpoint("x://y?\(query)").parameters : []
        let endpoint = Endpoint(scheme: gate.scheme, address: gate.address, parameters: parameters)
        // The phone must not need the person: one visit, with one request.
        let outcomes = try await ada.visit(endpoint, over: hall.registry, times: 1, shortestSilence: .seconds(10))
        // Somebody else behind her, often enough.
        let comesAnother = place % 8 == 0
        return (outcomes, comesAnother ? try await grace.visit(door, over: hall.registry, times: 1) : nil)
      }
      for ended in [outcomes, other ?? outcomes] {
        if case .success(let outcome)? = ended.last, outcome.isSuccess { continue }
        Issue.record("\(query) \(side.rawValue): \(ended)")
      }
      for violation in try await ada.violations(in: hall.ledger) + grace.violations(in: hall.ledger) {
        Issue.record("\(query) \(side.rawValue): \(violation)")
      }
      #expect(ada.requests.count <= 1, "\(query) \(side.rawValue)")
      return ada.connections
    }

    /// A place, in steps of 64, at which one connection was enough.
    private static func needed(_ fault: String, _ side: Side) async throws -> UInt64 {
      for place in stride(from: 0 as UInt64, to: 8192, by: 64)
      where try await connections(fault, side, at: place) == 1 {
        return place
      }
      return 8192
    }

    @Test(
      "R11, R18 and R22: a connection that ends after any byte costs a second connection, and nothing else",
      arguments: ["cut-after=send", "cut-after=receive", "reset-after=send", "reset-after=receive"], Side.allCases)
    func ends(fault: String, side: Side) async throws {
      // The first place, in steps, behind everything that the answer needs; the goodbyes are within the rest.
      let needed = try await Self.needed(fault, side)
      #expect((192...4096).contains(needed))
      // A cut at every byte. A reset differs in what the peer is told: at every third.
      let step: UInt64 = fault.hasPrefix("cut") ? 1 : 3
      await forEach(0..<(needed + 256) / step) { number in
        let place = number * step
        do {
          let count = try await Self.connections(fault, side, at: place)
          #expect(count == 1 || count == 2, "\(fault):\(place) \(side.rawValue)")
          if place + 64 < needed { #expect(count == 2, "\(fault):\(place) \(side.rawValue): the fault did nothing") }
        } catch {
          Issue.record("\(fault):\(place) \(side.rawValue): \(error)")
        }
      }
    }

    @Test(
      "R11: a changed bit anywhere is noticed, admits nobody else, and leaves the kiosk serving",
      arguments: ["send", "receive"])
    func flips(direction: String) async throws {
      await forEach(0..<1300) { place in
        do {
          let query = "seed=\(place)&first=1&flip-at=\(direction):\(place)"
          let hall = try FaultHall(listening: "", seed: place)
          let ada = try hall.phone("ada", waiting: .seconds(1))
          let grace = try hall.phone("grace")
          let (outcomes, other) = try await hall.open { gate, door in
            let endpoint = try Endpoint("\(gate)?\(query)")
            let outcomes = try await ada.visit(endpoint, over: hall.registry, shortestSilence: .milliseconds(60))
            return (outcomes, try await grace.visit(door, over: hall.registry, times: 1))
          }
          guard case .success(.answered(let answer))? = outcomes.last,
            answer.isSuccess || (answer.reason == .alreadyAdmitted && outcomes.count > 1),
            case .success(let served)? = other.last, served.isSuccess
          else {
            Issue.record("\(query): \(outcomes), \(other)")
            return
          }
          for violation in try await ada.violations(in: hall.ledger) + grace.violations(in: hall.ledger) {
            Issue.record("\(query): \(violation)")
          }
          #expect(Set(try await hall.ledger.records().map(\.entry.attendee)) == ["ada", "grace"])
        } catch {
          Issue.record("flip-at=\(direction):\(place): \(error)")
        }
      }
    }
  }
}
