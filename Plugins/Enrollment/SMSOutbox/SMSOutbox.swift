internal import CheckIn
internal import CheckInCore
public import Enrollment
public import EnrollmentCore

/// Puts each message into a file of its own, for a program that sends them, or for tests. The files are their owner's alone.
///
/// A file is named by the time and a number, so that their names sort as they came, and ends with `.sms`. It has a line
/// `To:` with the number, an empty line, and the text. It appears whole.
public struct SMSOutbox: SMSSender {
  private let folder: String
  private let clock: any CheckInClock
  private let thread = WorkThread()

  /// An outbox in that folder, which is made where there is none.
  ///
  /// - Throws: ``/Enrollment/SMSError`` when it cannot be made, or everybody may write into it.
  public init(_ folder: String) throws(SMSError) {
    self.folder = folder
    clock = SystemClock()
    do throws(PrivateFile.Failure) {
      try PrivateFile.makeOwnDirectory(folder)
      // What a kill in the middle of a message has left. A minute: another program may be writing.
      PrivateFile.removeUnfinished(in: folder, olderThan: .seconds(60))
    } catch {
      throw SMSError(error.description)
    }
  }

  /// Writes the message.
  public func send(_ text: String, to number: PhoneNumber) async throws(SMSError) {
    let seconds = clock.now.wall.secondsSince1970
    let bytes = Array("To: \(number.text)\n\n\(text)\n".utf8)
    try await thread.run { () -> Result<Void, SMSError> in
      for count in 0..<10_000 {
        let digits = String(count)
        let name = "\(seconds)-\(String(repeating: "0", count: 4 - digits.count))\(digits).sms"
        do throws(PrivateFile.Failure) {
          if try PrivateFile.create(bytes, at: "\(folder)/\(name)") { return .success(()) }
        } catch {
          return .failure(SMSError(error.description))
        }
      }
      return .failure(SMSError("The outbox “\(folder)” has taken 10,000 messages in one second."))
    }.get()
  }
}
