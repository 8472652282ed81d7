internal import CLinux
internal import Glibc

/// Descriptors that a listener holds for others.
///
/// When a flood of connections has taken all descriptors of the process, the rest of the program needs some: a ledger
/// opens its file, the C library its databases, and the thread pool of the Swift runtime even ends the process when it
/// cannot open one. So a listener gives these back when the system has no more, and accepts again only when it has
/// them all again.
struct DescriptorReserve: ~Copyable {
  static let count = 8

  private var numbers: [Int32] = []

  init() {}

  deinit {
    for number in numbers { close(number) }
  }

  /// Takes what is missing; false, with nothing held, when the system has not so many.
  mutating func fill() -> Bool {
    while numbers.count < Self.count {
      let number = eventfd(0, Int32(EFD_CLOEXEC))
      guard number >= 0 else {
        release()
        return false
      }
      numbers.append(number)
    }
    return true
  }

  /// Gives all back.
  mutating func release() {
    for number in numbers { close(number) }
    numbers.removeAll()
  }
}
