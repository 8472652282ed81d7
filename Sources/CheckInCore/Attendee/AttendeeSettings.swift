/// The bounds of one attempt on the phone. The values that it starts with are the protocol's; tests shorten them.
public struct AttendeeSettings: Hashable, Sendable {
  /// How long the kiosk may take from the connection to its hello.
  public var helloWait: Duration = .seconds(10)
  /// How long it may take to answer the initial request, a confirmation or a cancel.
  public var answerWait: Duration = .seconds(15)
  /// A kiosk that ends in good order without a word, sooner than this after the initial request, was not silent towards
  /// an unknown token (R16): its program has ended, and the same request is worth another attempt (R18).
  public var shortestSilence: Duration = .seconds(4)
  /// How long the person may take, counted again from each thing that the kiosk says.
  public var personWait: Duration = .seconds(180)
  /// How long the phone waits for the kiosk's goodbye.
  public var goodbyeWait: Duration = .seconds(2)

  /// The protocol's values.
  public init() {}
}

/// The timers of one attempt on the phone. Starting one that runs restarts it.
public enum AttendeeTimer: String, Hashable, Sendable, CaseIterable {
  /// The wait for the hello.
  case hello
  /// The wait for an answer.
  case answer
  /// The wait for the person.
  case person
  /// The wait for the kiosk's goodbye.
  case goodbye
}
