internal import CPeers
internal import Glibc
internal import Scene

/// This program once more, as another process that plays one part.
///
/// It ends when its work is done or its standard input is closed, and when an alarm of its own rings; see ``main``.
struct Child: ~Copyable {
  private let process: pid_t
  private let input: Int32
  private let output: Int32

  /// Starts it.
  static func start(_ arguments: [String]) throws(BenchmarkError) -> Child {
    var (reading, writing) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
    // Unsafe: the system writes two numbers into each array.
    guard unsafe peer_pipe(&reading) == 0, unsafe peer_pipe(&writing) == 0 else {
      throw BenchmarkError("A process cannot be started: no more descriptors (errno \(errno)).")
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, reading[0], STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, writing[1], STDOUT_FILENO)
    let words = unsafe (["bench"] + arguments).map { unsafe strdup($0) }
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    // Unsafe: the copies of the words live until this function ends, and the list ends with nil.
    let code = unsafe (words + [nil]).withUnsafeBufferPointer {
      unsafe posix_spawn(&process, "/proc/self/exe", &actions, nil, $0.baseAddress!, environ)
    }
    close(reading[0])
    close(writing[1])
    guard code == 0 else {
      close(reading[1])
      close(writing[0])
      throw BenchmarkError("A process cannot be started (errno \(code)).")
    }
    return Child(process: process, input: reading[1], output: writing[0])
  }

  deinit {
    close(input)
    close(output)
    // It may have work left that nobody needs.
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
  }

  /// Gives it a line to read.
  func say(_ line: String) throws(BenchmarkError) {
    var line = line + "\n"
    let isWritten = line.withUTF8 { bytes in
      // Unsafe: the system reads the bytes during the call.
      unsafe write(input, bytes.baseAddress, bytes.count) == bytes.count
    }
    guard isWritten else { throw BenchmarkError("A process does not read what it is told.") }
  }

  /// Waits for a byte of its output: a sign that it is ready.
  func awaitSign() throws(BenchmarkError) {
    var byte: UInt8 = 0
    // Unsafe: the system writes one byte.
    guard unsafe read(output, &byte, 1) == 1 else { throw BenchmarkError("A process ended before it was ready.") }
  }

  /// All of its output, when it has ended.
  func wholeOutput() -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      // Unsafe: the system writes at most as many bytes as the array has.
      let count = unsafe read(output, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
