internal import CLinux
public import CheckIn
internal import Glibc
internal import Synchronization

/// Event loops, each with a thread of its own, that share the connections of a program.
///
/// Transports and connections hold the group. When nobody holds it any more, its threads end by themselves; ``shutdown()``
/// ends them at a moment of one's choice, and waits for them.
public final class EventLoopGroup: Sendable {
  private enum State {
    case running([pthread_t])
    case endingThreads([CheckedContinuation<Void, Never>])
    case ended
  }

  /// The loops.
  public let loops: [EventLoop]
  private let turn = Atomic<Int>(0)
  private let state: Mutex<State>

  /// Loops whose threads run; one for each core that this process may use unless said otherwise.
  ///
  /// - Parameter busyPoll: for how long a loop, after a wait that was no longer, looks for events again and again before it
  ///   sleeps; never unless said otherwise. With 200 µs, one peer on the same machine is answered several times sooner, by
  ///   tasks that prefer the loop; a loop whose waits are longer never does it. It takes processor time: where more loops
  ///   poll than cores are idle, each keeps others from answering, and all are slower than without.
  /// - Throws: ``TransportError/Code/resourcesExhausted`` when the system has no more threads or descriptors.
  /// - Precondition: `count` is at least 1.
  public init(
    count: Int = EventLoopGroup.coreCount, busyPoll: Duration = .zero
  ) throws(TransportError) {
    precondition(count > 0, "a group has at least one loop")
    var loops: [EventLoop] = []
    var threads: [pthread_t] = []
    do throws(TransportError) {
      for index in 0..<count {
        let loop = try EventLoop(busyPoll: busyPoll)
        threads.append(try Self.startThread(of: loop, name: "event-loop-\(index)"))
        loops.append(loop)
      }
    } catch {
      for loop in loops { loop.beginEnd() }
      for thread in threads { pthread_detach(thread) }
      throw error
    }
    self.loops = loops
    state = Mutex(.running(threads))
  }

  deinit {
    guard case .running(let threads) = state.withLock({ $0 }) else { return }
    for loop in loops { loop.beginEnd() }
    // This may be one of the threads themselves, so nobody waits for them.
    for thread in threads { pthread_detach(thread) }
  }

  /// How many cores this process may use, at least 1.
  public static var coreCount: Int {
    var cores = cpu_set_t()
    // Unsafe: C writes the set during the call.
    guard unsafe sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &cores) == 0 else {
      // More cores than the set has room for.
      return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
    // Unsafe: the set is looked at as bytes, and each has its bits.
    return max(1, unsafe withUnsafeBytes(of: &cores) { unsafe $0.reduce(0) { $0 + $1.nonzeroBitCount } })
  }

  /// The loop whose turn it is, round robin.
  public func next() -> EventLoop {
    let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    return loops[Int(UInt(bitPattern: turn) % UInt(loops.count))]
  }

  /// Ends the loops and their threads, and returns when they have ended. Everything that is still open on them is
  /// aborted; calls that wait there throw ``TransportError/Code/closed``. May be called often, from any task.
  public func shutdown() async {
    let threads: [pthread_t]? = state.withLock { state in
      guard case .running(let threads) = state else { return nil }
      state = .endingThreads([])
      return threads
    }
    guard let threads else { return await othersShutdown() }
    for loop in loops { loop.beginEnd() }
    for loop in loops { await loop.ended() }
    // The threads have nothing left to do but return. A task that preferred one of the loops is on another thread by now.
    for thread in threads {
      pthread_join(thread, nil)
    }
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      defer { state = .ended }
      if case .endingThreads(let waiting) = state { return waiting }
      return []
    }
    for continuation in waiting { continuation.resume() }
  }

  private func othersShutdown() async {
    await withCheckedContinuation { continuation in
      let isEnded = state.withLock { state in
        guard case .endingThreads(let waiting) = state else { return true }
        state = .endingThreads(waiting + [continuation])
        return false
      }
      if isEnded { continuation.resume() }
    }
  }

  private static func startThread(of loop: EventLoop, name: String) throws(TransportError) -> pthread_t {
    var thread = pthread_t()
    // Unsafe: the thread takes over this reference, and gives it back when it ends.
    let reference = unsafe Unmanaged.passRetained(loop)
    let result = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, reference.toOpaque())
    guard result == 0 else {
      unsafe reference.release()
      throw TransportError(system: result == EAGAIN ? ENOMEM : result, "A thread cannot be started")
    }
    // Unsafe: C reads the name during the call.
    _ = unsafe pthread_setname_np(thread, String(name.prefix(15)))
    return thread
  }
}
