import CheckIn
import CheckInCore
import FaultTransport
import InMemoryTransport
import SocketIO
import TCPTransport
import TestSupport
import Testing
import UnixTransport

extension FaultSuite {
  /// Kiosk and phone, whole, on connections that do everything wrong that a connection can.
  @Suite struct CheckInUnderFaultsTests {
    @Test func `R11, R18 and R22: thousands of runs with random faults over memory end right`() async throws {
      await forEachSeed(0..<1600) { seed in
        do { try await FaultRun(seed: seed, InMemoryTransport()).check() } catch {
          Issue.record("seed \(seed): \(error)")
        }
      }
    }

    @Test func `R11, R18 and R22: runs with real signatures end right, also when bytes are changed`() async throws {
      await forEachSeed(10_000..<10_200) { seed in
        do { try await FaultRun(seed: seed, InMemoryTransport(), isReal: true).check() } catch {
          Issue.record("seed \(seed): \(error)")
        }
      }
    }

    @Test func `R11, R18 and R22: hundreds of runs with random faults over TCP end right`() async throws {
      let loops = try EventLoopGroup(count: 2)
      await forEachSeed(20_000..<20_300) { seed in
        do {
          let transport = TCPTransport(loops: loops)
          try await FaultRun(seed: seed, transport, addresses: ("127.0.0.1:0", "127.0.0.1:0")).check()
        } catch {
          Issue.record("seed \(seed): \(error)")
        }
      }
      await loops.shutdown()
    }

    /// A socket of this kind tells a killed peer as a good end.
    @Test func `R11, R18 and R22: runs with random faults over Unix sockets end right`() async throws {
      let loops = try EventLoopGroup(count: 2)
      try await ProcessFolder.with { folder in
        await forEachSeed(30_000..<30_150) { seed in
          do {
            let transport = UnixTransport(loops: loops)
            let addresses = (folder.path("\(seed)-gate"), folder.path("\(seed)-door"))
            try await FaultRun(seed: seed, transport, addresses: addresses).check()
          } catch {
            Issue.record("seed \(seed): \(error)")
          }
        }
      }
      await loops.shutdown()
    }

    @Test func `R18 and R22: a kiosk that is killed at any moment and begins again gives the same answers`()
      async throws
    {
      await forEachSeed(40_000..<40_300) { seed in
        do {
          var dice = Dice(seed: seed)
          let hall = try FaultHall(listening: "seed=\(seed)&delay=0us..200us", seed: seed)
          let ada = try hall.phone("ada")
          let lives = (0..<3).map { _ in Duration.microseconds(dice.number(0...3000)) }
          let visits = Task { try await ada.visit(hall.gate, over: hall.registry, times: 400) }
          for life in lives { try await hall.openBriefly(for: life) }
          let ended = try await hall.open { _, _ in try await visits.value }
          guard case .success(.answered(let answer))? = ended.last else {
            Issue.record("seed \(seed): never answered: \(ended.suffix(3))")
            return
          }
          let isExcused = answer.reason == .alreadyAdmitted && ended.count > 1
          if answer.reason != .admitted, !isExcused { Issue.record("seed \(seed): \(answer)") }
          for violation in try await ada.violations(in: hall.ledger) { Issue.record("seed \(seed): \(violation)") }
        } catch {
          Issue.record("seed \(seed): \(error)")
        }
      }
    }
  }
}
