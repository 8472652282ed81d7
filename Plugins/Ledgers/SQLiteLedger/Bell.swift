internal import Glibc

/// Wakes one thread from any other: a POSIX semaphore.
///
/// SAFETY: the semaphore is made in `init` and destroyed in `deinit`, when nobody holds a reference, so nobody waits;
/// POSIX lets any threads ring and wait at once.
@safe final class Bell: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Ends one wait, now or later.
  func ring() {
    unsafe sem_post(semaphore)
  }

  /// Waits for one ring.
  func wait() {
    // A signal may interrupt it.
    while unsafe sem_wait(semaphore) != 0 {}
  }
}
