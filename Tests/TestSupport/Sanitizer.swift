internal import Glibc

/// The address and the thread sanitizer, as a test may have to know of them: memory is another thing under them.
package enum Sanitizer {
  /// Whether this process was built with one.
  package static let isOn = isHere("__asan_init") || isHere("__tsan_init")

  private static func isHere(_ symbol: String) -> Bool {
    // Unsafe: the symbol is looked for, and not used.
    unsafe dlsym(nil, symbol) != nil
  }
}
