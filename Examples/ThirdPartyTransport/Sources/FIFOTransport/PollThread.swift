internal import Glibc
internal import Synchronization

/// One thread that waits for pipes to become ready, and calls whoever asked.
///
/// A wish is for one time: it is forgotten when it has come true.
final class PollThread: Sendable {
  struct Wish: Sendable {
    let descriptor: Int32
    let events: Int16
    let handler: @Sendable (Int16) -> Void
  }

  private struct State {
    var wishes: [Int: Wish] = [:]
    var last = 0
    var isEnding = false
  }

  /// What the thread holds: it must not hold the ``PollThread``, whose end ends it.
  private final class Core: Sendable {
    let state = Mutex(State())
    let bell: Descriptor
    let ear: Descriptor

    init() {
      var numbers: [Int32] = [-1, -1]
      // Unsafe: C writes two numbers.
      guard unsafe pipe(&numbers) == 0 else { fatalError("the system has no pipe left") }
      for number in numbers {
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      }
      ear = Descriptor(owning: numbers[0])
      bell = Descriptor(owning: numbers[1])
    }

    func ring() {
      // Unsafe: C reads one byte.
      _ = unsafe write(bell.number, [1], 1)
    }

    func run() {
      while true {
        let wishes = state.withLock { state in state.isEnding ? nil : state.wishes }
        guard let wishes else { return }
        let keys = wishes.keys.sorted()
        var polled = [pollfd(fd: ear.number, events: Int16(POLLIN), revents: 0)]
        for key in keys {
          if let wish = wishes[key] { polled.append(pollfd(fd: wish.descriptor, events: wish.events, revents: 0)) }
        }
        // Unsafe: C reads and writes as many elements as there are.
        guard unsafe poll(&polled, nfds_t(polled.count), -1) >= 0 else { continue }
        if polled[0].revents != 0 {
          var scratch = [UInt8](repeating: 0, count: 256)
          // Unsafe: C writes no more than the count.
          while unsafe read(ear.number, &scratch, scratch.count) > 0 {}
        }
        for (key, entry) in zip(keys, polled.dropFirst()) where entry.revents != 0 {
          // Taken back meanwhile: then the descriptor may be another's by now, and nobody wants to hear of it.
          let wish = state.withLock { $0.wishes.removeValue(forKey: key) }
          wish?.handler(entry.revents)
        }
      }
    }
  }

  private let core = Core()

  init() {
    // Unsafe: the thread takes over this reference, and gives it back when it ends.
    let reference = unsafe Unmanaged.passRetained(core)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<Core>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, reference.toOpaque())
    guard result == 0 else { fatalError("the system starts no thread: \(result)") }
    pthread_detach(thread)
  }

  deinit {
    core.state.withLock { $0.isEnding = true }
    core.ring()
  }

  /// Calls the handler once, on the thread, when one of the events has come. It must not block.
  func wish(_ descriptor: Int32, for events: Int32, _ handler: @escaping @Sendable (Int16) -> Void) -> Int {
    let key = core.state.withLock { state in
      state.last += 1
      state.wishes[state.last] = Wish(descriptor: descriptor, events: Int16(events), handler: handler)
      return state.last
    }
    core.ring()
    return key
  }

  /// Takes a wish back. Do it before the descriptor is closed.
  func forget(_ key: Int) {
    let wish = core.state.withLock { $0.wishes.removeValue(forKey: key) }
    if wish != nil { core.ring() }
  }
}
