public import EnrollmentCore

/// Keeps the records of an enrollment server.
///
/// - **E1** The changes of one call become durable together before it returns, or not at all.
/// - **E2** Calls of many tasks come one after the other: each sees all that earlier ones have stored.
/// - **E3** A change that throws stores nothing.
public protocol EnrollmentStore: Sendable {
  /// Reads and changes records, in one transaction. The closure runs on a thread of the store's, and waits for nothing.
  func update<Value: Sendable>(
    _ change: @escaping @Sendable (inout any EnrollmentTables) throws(EnrollmentStoreError) -> Value
  ) async throws(EnrollmentStoreError) -> Value
}
