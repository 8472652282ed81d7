internal import Glibc

/// How many descriptors this process has open.
public func openDescriptors() -> Int {
  entries(of: "/proc/self/fd")
}

/// How many threads this process has.
public func runningThreads() -> Int {
  entries(of: "/proc/self/task")
}

/// Whether it becomes so in a few seconds: for what other threads do.
public func becomesTrue(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<500 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return condition()
}

private func entries(of path: String) -> Int {
  // Unsafe: C walks the directory, and frees it.
  guard let directory = unsafe opendir(path) else { return -1 }
  defer { unsafe closedir(directory) }
  var count = 0
  while unsafe readdir(directory) != nil { count += 1 }
  return count
}
