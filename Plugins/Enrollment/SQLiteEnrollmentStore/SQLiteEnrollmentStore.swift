public import Enrollment
public import EnrollmentCore

/// The records of an enrollment server in one SQLite file, with a write-ahead log. It keeps E1–E3, also between several
/// programs that open the same file, and belongs to its owner alone (mode 0600). It must lie on a local disk.
public final class SQLiteEnrollmentStore: EnrollmentStore {
  private let database: Database
  private let thread = WorkThread()

  /// Opens the records at `path`, and makes them where there are none; their folder must exist.
  ///
  /// - Throws: ``/EnrollmentCore/EnrollmentStoreError``.
  public init(path: String) async throws(EnrollmentStoreError) {
    database = try await thread.run { () -> Result<Database, EnrollmentStoreError> in
      do throws(EnrollmentStoreError) {
        return .success(try Database(path))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Reads and changes records, in one transaction.
  public func update<Value: Sendable>(
    _ change: @escaping @Sendable (inout any EnrollmentTables) throws(EnrollmentStoreError) -> Value
  ) async throws(EnrollmentStoreError) -> Value {
    let database = database
    return try await thread.run { () -> Result<Value, EnrollmentStoreError> in
      do throws(EnrollmentStoreError) {
        return .success(
          try database.transaction { () throws(EnrollmentStoreError) in
            var tables: any EnrollmentTables = DatabaseTables(database: database)
            return try change(&tables)
          })
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// All accounts, oldest first.
  public func accounts() async throws(EnrollmentStoreError) -> [AccountRecord] {
    let database = database
    return try await thread.run { () -> Result<[AccountRecord], EnrollmentStoreError> in
      do throws(EnrollmentStoreError) {
        return .success(try DatabaseTables(database: database).allAccounts())
      } catch {
        return .failure(error)
      }
    }.get()
  }
}
