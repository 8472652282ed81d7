public import CheckIn

/// Something that a check cannot do without. Where it is missing the check is skipped, and the reason names it.
public enum ConformanceNeed: Hashable, Sendable {
  /// The transport declares this capability.
  case capability(TransportCapabilities)
  /// The transport does not declare this capability.
  case absence(TransportCapabilities)
  /// The subject gives addresses that cannot be read.
  case malformedAddresses
  /// The subject gives addresses that can be listened at and not dialled.
  case listenOnlyAddresses
  /// The subject gives addresses of other machines.
  case foreignAddresses
  /// The subject gives addresses to which there is no way.
  case unreachableAddresses
  /// The queue of connections that wait to be accepted is bounded, and the subject says by how many at most.
  case queueBound
  /// The transport has a limit of open connections, and the subject says which.
  case connectionLimit
  /// The transport has a handshake of its own, and the subject can dial beneath it.
  case stranger
  /// Another process serves, and the subject says where.
  case peer
  /// The process is the suite's alone, so that limits which hold for the whole process may be changed.
  case ownProcess

  /// What is missing, as the end of the sentence “needs …”.
  public var text: String {
    switch self {
    case .capability(let capability): "the capability \(capability.names.joined(separator: ", "))"
    case .absence(let capability): "a transport without the capability \(capability.names.joined(separator: ", "))"
    case .malformedAddresses: "malformed addresses from the subject"
    case .listenOnlyAddresses: "addresses from the subject that can only be listened at"
    case .foreignAddresses: "an address from the subject that is another machine’s"
    case .unreachableAddresses: "an address from the subject to which there is no way"
    case .queueBound: "a bounded queue before accept, which the subject states"
    case .connectionLimit: "a limit of open connections, which the subject states"
    case .stranger: "a handshake of the transport’s own, and a way to dial beneath it"
    case .peer: "another process that serves"
    case .ownProcess: "a process of its own"
    }
  }

  func isMet(by subject: ConformanceSubject) -> Bool {
    switch self {
    case .capability(let capability): subject.transport.capabilities.contains(capability)
    case .absence(let capability): !subject.transport.capabilities.contains(capability)
    case .malformedAddresses: !subject.addresses.malformed.isEmpty
    case .listenOnlyAddresses: !subject.addresses.listenOnly.isEmpty
    case .foreignAddresses: !subject.addresses.foreign.isEmpty
    case .unreachableAddresses: !subject.addresses.unreachable.isEmpty
    case .queueBound: subject.queueBound != nil
    case .connectionLimit: subject.connectionLimit != nil
    case .stranger: subject.stranger != nil
    case .peer: subject.peer != nil
    case .ownProcess: subject.ownsProcess
    }
  }
}
