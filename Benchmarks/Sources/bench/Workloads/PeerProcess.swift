/// Starts the other process at the moment when a peer in C has begun to listen.
@safe
final class PeerProcess {
  private let part: String
  private let count: Int
  private var child: Child?

  init(_ part: String, _ count: Int) {
    self.part = part
    self.count = count
  }

  /// Calls a peer with what it needs to start the other process.
  func callAsFunction(
    _ body: (@convention(c) (UnsafeMutableRawPointer?, UInt16) -> Int32, UnsafeMutableRawPointer) -> Double
  ) -> Double {
    // Unsafe: this object lives until the call is over, which is as long as C keeps the reference.
    let reference = unsafe Unmanaged.passUnretained(self).toOpaque()
    return withExtendedLifetime(self) {
      unsafe body(
        { context, port in
          guard let context = unsafe context else { return -1 }
          return unsafe Unmanaged<PeerProcess>.fromOpaque(context).takeUnretainedValue().start(port) ? 0 : -1
        }, reference)
    }
  }

  private func start(_ port: UInt16) -> Bool {
    child = try? Child.start(["serve", part, "\(port)", "\(count)"])
    return child != nil
  }
}
