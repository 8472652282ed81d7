internal import Glibc

/// What this process has of the machine's memory.
enum Memory {
  /// The bytes that are resident now.
  static var resident: Int { kibibytes("VmRSS:") * 1_024 }
  /// The most that ever were.
  static var peak: Int { kibibytes("VmHWM:") * 1_024 }

  private static func kibibytes(_ name: String) -> Int {
    // Unsafe: the file is ours, and the buffer lives as long as the call.
    guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
    defer { unsafe _ = fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let count = unsafe fread(&buffer, 1, buffer.count, file)
    let line = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? 0
  }
}

/// How the numbers are shown.
enum Figure {
  static func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
  static func kibibytes(_ bytes: Int) -> String { "\(bytes * 10 / 1_024 / 10).\(bytes * 10 / 1_024 % 10) KiB" }

  static func microseconds(_ duration: Duration, each count: Int) -> String {
    let (seconds, attoseconds) = duration.components
    return "\((seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / Int64(count)) µs"
  }

  /// How this program was built, since that changes them.
  static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}
