public import CheckIn
public import CheckInCore
public import EnrollmentCore

/// What somebody does who is enrolled already: shows the token at the server, and gets a ticket for the kiosks.
public struct EnrolledVisit: Sendable {
  private let vault: any EnrollmentVault
  private let dialler: any EnrollmentDialler
  private let cryptography: any Cryptography
  private let clock: any CheckInClock

  /// A visit with these parts.
  public init(
    vault: any EnrollmentVault, dialler: any EnrollmentDialler, cryptography: any Cryptography,
    clock: any CheckInClock = SystemClock()
  ) {
    self.vault = vault
    self.dialler = dialler
    self.cryptography = cryptography
    self.clock = clock
  }

  /// Logs in with the token and fetches a ticket: the answer that has it.
  ///
  /// - Throws: ``EnrolledVisitError``: the server said no, or could not be asked.
  public func ticket(token: SecretBytes) async throws(EnrolledVisitError) -> EnrollmentAnswer {
    let problem = LastProblem()
    let line = EnrollmentLine(
      vault: vault, dialler: dialler, cryptography: cryptography, clock: clock, answerWait: .seconds(15)
    ) { report in
      if case .connectionFailed(_, let message) = report { problem.set(message) }
    }
    let result: Result<EnrollmentAnswer, EnrolledVisitError>
    do throws(EnrolledVisitError) {
      _ = try await EnrolledVisit.done(line.ask(.logIn(token: token), as: .personal(token: token)), problem)
      result = .success(try await EnrolledVisit.done(line.ask(.ticket, as: .personal(token: token)), problem))
    } catch {
      result = .failure(error)
    }
    await line.close()
    return try result.get()
  }

  private static func done(
    _ result: Result<EnrollmentAnswer, EnrollmentFailure>, _ problem: LastProblem
  ) throws(EnrolledVisitError) -> EnrollmentAnswer {
    switch result {
    case .success(let answer) where answer.result == .done: return answer
    case .success(let answer): throw .refused(answer.result, attemptsLeft: answer.attemptsLeft)
    case .failure(let failure): throw .failed(failure, message: problem.text)
    }
  }
}

/// Why there is no ticket.
public enum EnrolledVisitError: Error, Sendable {
  /// The server says no; with a wrong PIN it says how many tries are left.
  case refused(EnrollmentResult, attemptsLeft: UInt64?)
  /// The server could not be asked, for this reason, in words.
  case failed(EnrollmentFailure, message: String)
}
