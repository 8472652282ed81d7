internal import CheckIn
internal import CheckInCore
internal import EnrollmentCore

/// The connection to the server that is open now, if one is. One request at a time.
actor EnrollmentLine {
  private typealias Link = EnrollmentLink<AnyCryptography, AnySigningKey>

  private struct Open {
    let channel: MessageChannel
    var link: Link
    let isPersonal: Bool
  }

  private let client: @Sendable () throws(EnrollmentVaultError) -> Bytes16
  private let dialler: any EnrollmentDialler
  private let cryptography: AnyCryptography
  private let clock: any CheckInClock
  private let answerWait: Duration
  private let report: @Sendable (EnrollmentReport) -> Void
  private var open: Open?

  /// A line that is not open yet.
  ///
  /// - Parameter report: told of connections, and of those that there are not.
  init(
    vault: any EnrollmentVault, dialler: any EnrollmentDialler, cryptography: any Cryptography, clock: any CheckInClock,
    answerWait: Duration, report: @escaping @Sendable (EnrollmentReport) -> Void
  ) {
    client = { () throws(EnrollmentVaultError) in try vault.client() }
    self.dialler = dialler
    self.cryptography = AnyCryptography(cryptography)
    self.clock = clock
    self.answerWait = answerWait
    self.report = report
  }

  /// Asks, over the connection that is open or a new one. A cancelled task drops the connection.
  func ask(
    _ request: EnrollmentRequest, as identity: EnrollmentIdentity
  ) async -> Result<EnrollmentAnswer, EnrollmentFailure> {
    let wasOpen = open?.isPersonal == identity.isPersonal
    do throws(EnrollmentDialError) {
      if let answer = try await askOnce(request, as: identity) { return .success(answer) }
      // The server had said goodbye before it was asked, because nobody asked for long: it has not taken the request.
      if wasOpen, let answer = try await askOnce(request, as: identity) { return .success(answer) }
      throw EnrollmentDialError(.connection, "The server said goodbye in place of an answer.")
    } catch {
      drop()
      guard !Task.isCancelled else { return .failure(.connection) }
      report(.connectionFailed(error.failure, message: error.message))
      return .failure(error.failure)
    }
  }

  /// Says goodbye, and closes.
  func close() async {
    guard var line = open else { return }
    open = nil
    if let goodbye = try? line.link.sealGoodbye() {
      try? await line.channel.send(goodbye, before: .now + .seconds(2))
    }
    await line.channel.close()
  }

  /// Closes without a word.
  func drop() {
    open?.channel.abort()
    open = nil
  }

  /// Asks; nil: the server said goodbye, and has not taken the request.
  private func askOnce(
    _ request: EnrollmentRequest, as identity: EnrollmentIdentity
  ) async throws(EnrollmentDialError) -> EnrollmentAnswer? {
    if open?.isPersonal != identity.isPersonal {
      await close()
      open = try await dial(identity)
    }
    guard var line = open else { throw EnrollmentDialError(.connection, "There is no connection.") }
    do {
      let body = try line.link.seal(request)
      open = line
      try? await line.channel.send(body, before: .now + answerWait)
      while true {
        // What was said before the connection broke is read all the same.
        guard let body = try await line.channel.receive(before: .now + answerWait) else {
          throw EnrollmentDialError(.connection, "The server ended the connection without an answer.")
        }
        switch try line.link.open(body) {
        case .answer(let answer):
          open = line
          return answer
        case .goodbye:
          line.channel.abort()
          open = nil
          return nil
        case .later: continue
        }
      }
    } catch {
      throw EnrollmentDialError.of(error)
    }
  }

  private func dial(_ identity: EnrollmentIdentity) async throws(EnrollmentDialError) -> Open {
    let dialled = try await dialler.dial(identity)
    let channel = MessageChannel(dialled.connection)
    do {
      var link = Link(
        client: try client(), serverKey: dialled.serverKey,
        channelBinding: dialled.connection.channelBinding,
        cryptography: cryptography, key: AnySigningKey(dialled.key))
      guard let hello = try await channel.receive(before: .now + .seconds(10)) else {
        throw EnrollmentDialError(.connection, "The server ended the connection before it said hello.")
      }
      let opening = try link.open(hello: hello, now: clock.now.wall)
      try await channel.send(opening, before: .now + .seconds(10))
      report(
        .connected(
          remote: dialled.connection.remote, isPersonal: identity.isPersonal, service: link.serviceName ?? ""))
      return Open(channel: channel, link: link, isPersonal: identity.isPersonal)
    } catch {
      channel.abort()
      throw EnrollmentDialError.of(error)
    }
  }
}

extension EnrollmentDialError {
  fileprivate static func of(_ error: any Error) -> EnrollmentDialError {
    switch error {
    case let error as EnrollmentDialError: return error
    case let error as EnrollmentLinkError: return EnrollmentDialError(.fault(error.fault ?? .malformed), error.message)
    case let error as TransportError:
      switch error.code {
      case .certificateRefused: return EnrollmentDialError(.certificateRefused, error.message)
      case .tooLarge, .malformed: return EnrollmentDialError(.fault(.framing), error.message)
      default: return EnrollmentDialError(.connection, error.message)
      }
    default: return EnrollmentDialError(.connection, "\(error)")
    }
  }
}
