internal import CheckIn

extension FaultSettings {
  /// Reads the parameters of an endpoint.
  ///
  /// - Returns: what they ask for, those that are ours, and those that are left for the transport beneath.
  /// - Throws: ``/CheckIn/TransportError/Code/addressMalformed`` for a value that cannot be read.
  static func read(
    _ endpoint: Endpoint
  ) throws(TransportError) -> (settings: FaultSettings, own: [Endpoint.Parameter], rest: [Endpoint.Parameter]) {
    var settings = FaultSettings()
    var own: [Endpoint.Parameter] = []
    var rest: [Endpoint.Parameter] = []
    for item in endpoint.parameters {
      guard let parameter = FaultParameter(rawValue: item.name) else {
        rest.append(item)
        continue
      }
      own.append(item)
      do throws(FaultValueError) {
        try settings.set(parameter, item.value[...])
      } catch {
        throw TransportError(
          .addressMalformed,
          "“\(item.name)=\(item.value.prefix(60))” cannot be read: \(error.expected).")
      }
    }
    let directions = [settings.send, settings.receive]
    guard directions.allSatisfy({ $0.stallFor == nil }) || directions.contains(where: { $0.stallAfter != nil }) else {
      throw TransportError(
        .addressMalformed, "“stall-for” says how long a stall lasts, and “stall-after” does not say where it begins.")
    }
    return (settings, own, rest)
  }

  private mutating func set(_ parameter: FaultParameter, _ value: Substring) throws(FaultValueError) {
    switch parameter {
    case .seed: seed = try FaultValue.whole(value)
    case .first: first = try FaultValue.whole(value)
    case .refuse: refuse = try FaultValue.chance(value)
    case .dialDelay: dialDelay = try FaultValue.times(value)
    case .failAccept: failAccept = try FaultValue.chance(value)
    case .dropAccept: dropAccept = try FaultValue.chance(value)
    case .coalesce: coalesce = try FaultValue.time(value)
    case .loseOnClose: loseOnClose = try FaultValue.counts(value)
    case .delay:
      try each(value) { direction, value throws(FaultValueError) in direction.delay = try FaultValue.times(value) }
    case .split:
      try each(value) { direction, value throws(FaultValueError) in
        direction.split = try FaultValue.counts(value, from: 1)
      }
    case .stallAfter:
      try each(value) { direction, value throws(FaultValueError) in direction.stallAfter = try FaultValue.counts(value)
      }
    case .stallFor:
      try each(value) { direction, value throws(FaultValueError) in direction.stallFor = try FaultValue.times(value) }
    case .cutAfter:
      try each(value) { direction, value throws(FaultValueError) in direction.cutAfter = try FaultValue.counts(value) }
    case .resetAfter:
      try each(value) { direction, value throws(FaultValueError) in direction.resetAfter = try FaultValue.counts(value)
      }
    case .drop:
      try each(value) { direction, value throws(FaultValueError) in direction.drop = try FaultValue.chance(value) }
    case .flip:
      try each(value) { direction, value throws(FaultValueError) in direction.flip = try FaultValue.chance(value) }
    case .flipAt:
      try each(value) { direction, value throws(FaultValueError) in direction.flipAt = try FaultValue.counts(value) }
    }
  }

  /// Sets one direction, or both, as `send:` and `receive:` in front of the value say.
  private mutating func each(
    _ value: Substring, _ set: (inout Direction, Substring) throws(FaultValueError) -> Void
  ) throws(FaultValueError) {
    guard value.contains(":") else {
      try set(&send, value)
      try set(&receive, value)
      return
    }
    var isSet = (send: false, receive: false)
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      if part.hasPrefix("send:"), !isSet.send {
        isSet.send = true
        try set(&send, part.dropFirst(5))
      } else if part.hasPrefix("receive:"), !isSet.receive {
        isSet.receive = true
        try set(&receive, part.dropFirst(8))
      } else {
        throw FaultValueError("write one value for both directions, or send:…, receive:…, or both with a comma")
      }
    }
  }
}
