internal import CheckIn

/// How a command ended.
struct ManagementStatus: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt8

  static let success = ManagementStatus(rawValue: 0x00)
  static let noResources = ManagementStatus(rawValue: 0x07)
  static let busy = ManagementStatus(rawValue: 0x0a)
  static let rejected = ManagementStatus(rawValue: 0x0b)
  static let notSupported = ManagementStatus(rawValue: 0x0c)
  static let invalidParameters = ManagementStatus(rawValue: 0x0d)
  static let notPowered = ManagementStatus(rawValue: 0x0f)
  static let invalidIndex = ManagementStatus(rawValue: 0x11)
  static let blocked = ManagementStatus(rawValue: 0x12)
  static let permissionDenied = ManagementStatus(rawValue: 0x14)

  /// The error for a command that did not succeed.
  ///
  /// - Parameter what: what was not done, to which controller: the beginning of a sentence.
  func error(_ what: String) -> TransportError {
    switch self {
    case .permissionDenied:
      TransportError(
        .permissionDenied,
        "\(what): the system does not permit it. Give the program the capability CAP_NET_ADMIN, such as by "
          + "“sudo setcap cap_net_admin+ep PROGRAM”, or let bluetoothd do it, which needs none: "
          + "“systemctl enable --now bluetooth”.")
    case .notPowered:
      TransportError(.addressUnavailable, "\(what): the controller is switched off. Switch it on.")
    case .invalidIndex:
      TransportError(.addressUnavailable, "\(what): there is no such controller. Is it plugged in?")
    case .blocked:
      TransportError(
        .addressUnavailable, "\(what): the controller is blocked. “rfkill unblock bluetooth” takes the block away.")
    case .notSupported:
      TransportError(.addressUnavailable, "\(what): the controller or the kernel cannot do that.")
    case .noResources:
      TransportError(.resourcesExhausted, "\(what): the controller has no room left. End another program that uses it.")
    case .busy:
      TransportError(.resourcesExhausted, "\(what): the controller is busy. Is another program using it?")
    default:
      TransportError(.other, "\(what): the kernel refused (management status \(rawValue)).")
    }
  }
}
