internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import Synchronization

/// What the organizer took back, as the kiosk knows it: the list of `--revocations`, and no older one than was there before.
final class TakenBack: Sendable {
  /// Tells when the list is to be read again; nil without a list.
  let watch: FileWatch?
  private let path: String?
  private let issuer: IssuerFile
  private let current: Mutex<RevocationList?>

  /// Reads the list that the command line names, if it names one.
  init(_ values: CommandLineValues, issuer: IssuerFile) throws(ExampleError) {
    self.issuer = issuer
    let path = values[KioskCommand.revocations]
    self.path = path
    watch = path.map { FileWatch($0) }
    do throws(FileError) {
      current = Mutex(try path.map { path throws(FileError) in try RevocationFile.read(path, issuer: issuer) })
    } catch {
      throw ExampleError(error)
    }
  }

  /// The list in force.
  var list: RevocationList? { current.withLock { $0 } }

  /// Compares with what the ledger remembers of earlier runs, and lets it remember this list. To be called once, before anyone
  /// is served.
  ///
  /// - Throws: when there was a newer list before.
  func remember(in ledger: any Ledger) async throws(ExampleError) {
    guard let numbers = ledger as? any ListNumbers else { return }
    let list = list
    let largest: Int64
    do throws(LedgerError) {
      largest = try await numbers.raise(identity, to: list?.number ?? 0)
    } catch {
      throw ExampleError(error)
    }
    if let list, largest > list.number { throw ExampleError(fault(.older(number: list.number, than: largest))) }
    if list == nil, largest > 0 {
      LineOutput.standardError.say(
        "kiosk: warning: this kiosk has used a list of what was taken back before (number \(largest)), and now has none, so "
          + "that everything in it is good again here. Give it the newest list: --revocations FILE")
    }
  }

  /// Reads the list again. One that cannot be used, or is older, leaves the last good one in force.
  ///
  /// - Returns: the new list, if it is another; and what stood in the way of remembering its number.
  /// - Throws: why the list cannot be used.
  func readAgain(
    rememberingIn ledger: any Ledger
  ) async throws(ExampleError) -> (list: RevocationList, unremembered: LedgerError?)? {
    guard let path else { return nil }
    let new: RevocationList
    do throws(FileError) {
      new = try RevocationFile.read(path, issuer: issuer)
      if let old = list {
        if let refusal = new.refusal(after: old) { throw fault(refusal) }
        if new == old { return nil }
      }
    } catch {
      throw ExampleError(error)
    }
    var unremembered: LedgerError?
    var largest = new.number
    do throws(LedgerError) {
      largest = try await (ledger as? any ListNumbers)?.raise(identity, to: new.number) ?? new.number
    } catch {
      unremembered = error
    }
    // Another kiosk on the same ledger may have a newer one.
    if largest > new.number { throw ExampleError(fault(.older(number: new.number, than: largest))) }
    current.withLock { $0 = new }
    return (new, unremembered)
  }

  /// What tells this issuer's list for this event from every other.
  private var identity: Digest {
    var writer = CBORWriter()
    writer.beginArray(2)
    writer.write(issuer.event)
    writer.write(issuer.key.bytes)
    return OpenSSLCryptography().sha256(writer.bytes.span)
  }

  private func fault(_ error: RevocationListError) -> FileError {
    FileError(
      .badData,
      "The list of what was taken back “\((path ?? "").printable)” cannot be used. \(error.message) Copy the newest one "
        + "from the organizer.")
  }
}
