internal import Foundation

/// Runs what blocks its thread on a thread of its own, so that the tests beside it go on.
package func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try body() })
    }
  }
}
