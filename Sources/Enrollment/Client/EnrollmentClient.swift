internal import CheckIn
internal import CheckInCore
public import EnrollmentCore

/// A client of an enrollment server: runs a session from where it was left, and carries out what it wants done.
public final class EnrollmentClient: Sendable {
  private let configuration: EnrollmentClientConfiguration
  private let inputs = AsyncStream.makeStream(of: EnrollmentInput.self)

  /// A client from its parts.
  public init(_ configuration: EnrollmentClientConfiguration) {
    self.configuration = configuration
  }

  /// Hands in what the person does.
  public func post(_ input: EnrollmentInput) {
    inputs.continuation.yield(input)
  }

  /// Runs to the end: until the person is logged in, stops, or cannot go on. Once.
  ///
  /// A cancelled task ends it as if the person had closed the program.
  ///
  /// - Throws: ``EnrollmentVaultError`` when what must be kept cannot be; then nothing more was asked of the server.
  public func run() async throws(EnrollmentVaultError) -> EnrollmentOutcome {
    let progress = try configuration.vault.progress()
    let course = EnrollmentCourse(configuration, post: { [inputs] in inputs.continuation.yield($0) })
    let result: Result<EnrollmentOutcome, EnrollmentVaultError>
    do throws(EnrollmentVaultError) {
      result = .success(try await run(course, from: progress))
    } catch {
      result = .failure(error)
    }
    await course.end()
    return try result.get()
  }

  private func run(
    _ course: EnrollmentCourse, from progress: EnrollmentProgress
  ) async throws(EnrollmentVaultError) -> EnrollmentOutcome {
    var session = EnrollmentSession(
      settings: configuration.settings, cryptography: AnyCryptography(configuration.cryptography))
    if let outcome = try course.carryOut(session.handle(.start(progress))) { return outcome }
    for await input in inputs.stream {
      if let outcome = try course.carryOut(session.handle(input)) { return outcome }
    }
    // The task was cancelled.
    return try course.carryOut(session.handle(.cancel)) ?? .stopped
  }
}
