internal import CSQLite
internal import CheckIn
internal import Glibc

/// What the library said, as the cause of a ``LedgerError``.
struct SQLiteFailure: Error, CustomStringConvertible {
  /// The extended result code.
  let result: Int32
  /// The system's error number beneath it, or zero.
  let systemError: Int32

  var description: String {
    // Unsafe: constant strings of the library's.
    let text = unsafe String(cString: sqlite3_errstr(result))
    return systemError == 0 ? "SQLite: \(text) (\(result))" : "SQLite: \(text) (\(result)); \(systemText(systemError))"
  }
}

/// The system's words for an error number.
func systemText(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 128)
  // Unsafe: the system writes at most `count` bytes, with a zero at the end.
  guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension LedgerError {
  /// The error for a result code of the library's about the ledger at `path`.
  init(_ result: Int32, systemError: Int32, path: String) {
    let cause = SQLiteFailure(result: result, systemError: systemError)
    self =
      switch result & 0xff {
      case SQLITE_FULL: .full(path, cause)
      case SQLITE_BUSY, SQLITE_LOCKED: .locked(path, cause)
      case SQLITE_CORRUPT:
        LedgerError(
          .corrupt,
          "The ledger “\(path)” is damaged. Keep the file, and restore the newest backup or begin a new ledger.",
          cause: cause)
      case SQLITE_NOTADB:
        LedgerError(
          .corrupt, "“\(path)” is not a ledger: it is no SQLite database. Give another path.", cause: cause)
      case SQLITE_READONLY, SQLITE_PERM: .readOnly(path, cause)
      case SQLITE_CANTOPEN: .cannotOpen(path, systemError, cause)
      case SQLITE_IOERR: .ioError(path, systemError, cause)
      case SQLITE_NOMEM:
        LedgerError(.other, "The machine has no memory left for the ledger “\(path)”.", cause: cause)
      default: LedgerError(.other, "The ledger “\(path)” failed. \(cause).", cause: cause)
      }
  }

  static func full(_ path: String, _ cause: (any Error)?) -> LedgerError {
    LedgerError(
      .full, "The disk of the ledger “\(path)” is full. Nothing was stored. Make room; the ledger then goes on.",
      cause: cause)
  }

  static func readOnly(_ path: String, _ cause: (any Error)?) -> LedgerError {
    LedgerError(
      .readOnly,
      "The ledger “\(path)”, or its folder, cannot be written. Give this program's user the right to write both.",
      cause: cause)
  }

  static func locked(_ path: String, _ cause: (any Error)?) -> LedgerError {
    LedgerError(
      .locked,
      "Another program holds the ledger “\(path)” and did not let go in time. Close what has it open, then try again.",
      cause: cause)
  }

  static func unavailable(_ path: String, _ why: String, _ cause: (any Error)? = nil) -> LedgerError {
    LedgerError(.unavailable, "The ledger “\(path)” cannot be opened: \(why).", cause: cause)
  }

  private static func cannotOpen(_ path: String, _ systemError: Int32, _ cause: SQLiteFailure) -> LedgerError {
    switch systemError {
    case EACCES, EPERM, EROFS: .readOnly(path, cause)
    case ENOSPC, EDQUOT: .full(path, cause)
    case EMFILE, ENFILE: .unavailable(path, "the system has no file descriptors left", cause)
    case 0: .unavailable(path, "it is a folder, or cannot be reached", cause)
    default: .unavailable(path, systemText(systemError), cause)
    }
  }

  private static func ioError(_ path: String, _ systemError: Int32, _ cause: SQLiteFailure) -> LedgerError {
    switch systemError {
    // EFBIG: the process's limit on the size of a file.
    case ENOSPC, EDQUOT, EFBIG: .full(path, cause)
    case EROFS, EACCES, EPERM: .readOnly(path, cause)
    default:
      LedgerError(
        .unavailable, "The disk of the ledger “\(path)” failed. Nothing was stored. Look at the disk. \(cause).",
        cause: cause)
    }
  }
}
