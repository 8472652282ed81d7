internal import CheckIn
internal import Glibc

/// One dial, from two pipes without an other end to a connection. Dropped before that, it leaves nothing.
final class FIFODial: Sendable {
  private let path: FIFOPath
  private let name = FIFOPath.newName()
  private let thread: PollThread
  /// The listener's pipe. While the listener is there it can be written.
  private let desk: Descriptor
  /// What the listener will send. Nobody has it open for writing yet.
  private let down: Descriptor
  /// What we will send. Open both ways, because a pipe without a reader cannot be opened for writing alone.
  private let up: Descriptor

  init(_ path: FIFOPath, thread: PollThread) throws(TransportError) {
    self.path = path
    self.thread = thread
    switch Descriptor.open(path.text, O_WRONLY) {
    case .success(let number):
      let opened = Descriptor(owning: number)
      guard NamedFile.isPipe(opened.number) else { throw .refused(path) }
      desk = opened
    case .failure(let fault): throw .dialling(path, fault)
    }
    let names = [path.down(name), path.up(name)]
    var numbers: [Int32] = []
    for (name, flags) in zip(names, [O_RDONLY, O_RDWR]) {
      if let fault = NamedFile.makePipe(name) {
        numbers.forEach { close($0) }
        names.forEach { NamedFile.remove($0) }
        throw .dialling(path, fault)
      }
      switch Descriptor.open(name, flags) {
      case .success(let number): numbers.append(number)
      case .failure(let fault):
        numbers.forEach { close($0) }
        names.forEach { NamedFile.remove($0) }
        throw .dialling(path, fault)
      }
    }
    down = Descriptor(owning: numbers[0])
    up = Descriptor(owning: numbers[1])
  }

  deinit {
    NamedFile.remove(path.down(name))
    NamedFile.remove(path.up(name))
  }

  func connect(before deadline: Deadline) async throws(TransportError) -> FIFOConnection {
    guard .now < deadline else { throw .late(path) }
    let record = Array("\(name)\n".utf8)
    while true {
      // A short write to a pipe is whole or not at all. Unsafe: C reads as many bytes as there are.
      if unsafe write(desk.number, record, record.count) == record.count { break }
      guard errno == EAGAIN else { throw .refused(path) }
      try await ready(desk.number, POLLOUT, before: deadline)
    }
    // The listener says so when it has opened both pipes.
    while true {
      var byte: UInt8 = 0
      // Unsafe: C writes one byte.
      if unsafe read(down.number, &byte, 1) == 1 { break }
      try await ready(down.number, POLLIN, before: deadline)
    }
    // The listener's end is open, so that ours can be opened for writing alone, and an end of the reader be noticed.
    guard case .success(let writing) = Descriptor.open(path.up(name), O_WRONLY) else { throw .refused(path) }
    let reading = dup(down.number)
    guard reading >= 0 else {
      close(writing)
      throw TransportError(.resourcesExhausted, "The system has no descriptor left.")
    }
    _ = fcntl(reading, F_SETFD, FD_CLOEXEC)
    return FIFOConnection(
      reading: Descriptor(owning: reading), writing: Descriptor(owning: writing), local: path.dialler(name),
      remote: path.endpoint, thread: thread)
  }

  /// Waits for the pipe, or for the end of the listener, by the deadline and until the task is cancelled.
  private func ready(_ number: Int32, _ event: Int32, before deadline: Deadline) async throws(TransportError) {
    let wait = OneWait<Bool>()
    let wish = thread.wish(number, for: event) { _ in wait.settle(true) }
    // An error on the listener's pipe means that it has no reader any more.
    let alarm = thread.wish(desk.number, for: 0) { _ in wait.settle(false) }
    let ending = await wait.wait(before: deadline)
    thread.forget(wish)
    thread.forget(alarm)
    switch ending {
    case .settled(true): return
    case .settled(false): throw .refused(path)
    case .cancelled: throw TransportError(.cancelled, "Dialling \(path.endpoint) was cancelled.")
    case .timedOut: throw .late(path)
    }
  }
}

extension TransportError {
  static func late(_ path: FIFOPath) -> TransportError {
    TransportError(.timedOut, "\(path.endpoint) did not answer in time.")
  }

  static func refused(_ path: FIFOPath) -> TransportError {
    TransportError(.refused, "Nobody listens at \(path.endpoint). Start the listener first.")
  }

  fileprivate static func dialling(_ path: FIFOPath, _ fault: FileFault) -> TransportError {
    switch fault.number {
    case ENOENT, ENXIO, ENOTDIR, EISDIR: return .refused(path)
    case EACCES, EPERM: return TransportError(.permissionDenied, "The pipe of \(path.endpoint) is another user's.")
    case EMFILE, ENFILE, ENOMEM, ENOSPC:
      return TransportError(.resourcesExhausted, "The system has no descriptor or space left.")
    default: return TransportError(.other, "Dialling \(path.endpoint) failed: error \(fault.number).")
    }
  }
}
