internal import CheckIn
internal import SocketIO

extension TransportError {
  /// What bluetoothd or the message bus refused, in words.
  ///
  /// - Parameter what: what was not done, to what: the beginning of a sentence.
  package init(daemon error: BusError, _ what: String) {
    switch error {
    case .noBus(let number):
      self.init(
        .lost, "\(what): the connection with the system’s message bus is gone, or there is none. Does D-Bus run?",
        cause: SystemError(number))
    case .timedOut:
      self.init(.other, "\(what): bluetoothd did not answer in time. “systemctl restart bluetooth” may help.")
    case .cancelled:
      self.init(.cancelled, "\(what) was cancelled.")
    case .unwritable(let number):
      self.init(.other, "\(what): the message cannot be written.", cause: SystemError(number))
    case .unreadable:
      self.init(.malformed, "\(what): bluetoothd gave an answer that cannot be read.")
    case .refused(let name, let text):
      self.init(refusedByDaemon: name, text, what)
    }
  }

  private init(refusedByDaemon name: String, _ text: String, _ what: String) {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    switch (last, name.hasPrefix("org.bluez.")) {
    case ("AccessDenied", _), ("NotAuthorized", _), ("AuthFailed", _):
      self.init(
        .permissionDenied,
        "\(what): the policy of the system’s message bus does not let this program talk to bluetoothd. On many systems "
          + "that is for members of the group “bluetooth”: “sudo usermod -aG bluetooth USER”.")
    case ("ServiceUnknown", false), ("NameHasNoOwner", false), ("NoReply", false), ("Disconnected", false),
      ("UnknownObject", false):
      self.init(.lost, "\(what): bluetoothd has gone away, or has lost the controller.")
    case ("UnknownMethod", false), ("UnknownInterface", false), ("NotSupported", true):
      self.init(
        .addressUnavailable, "\(what): this bluetoothd or its controller cannot do that. BlueZ 5.48 and later can.")
    case ("NotReady", true):
      self = ManagementStatus.notPowered.error(what)
    case ("Blocked", true):
      self = ManagementStatus.blocked.error(what)
    case ("InProgress", true), ("Busy", true):
      self = ManagementStatus.busy.error(what)
    case ("NotPermitted", true):
      // So bluetoothd says that all advertisements are taken.
      self.init(
        .resourcesExhausted,
        "\(what): bluetoothd does not permit it\(Self.saying(text)). All advertisements of the controller may be taken: "
          + "end another program that advertises.")
    case ("AlreadyExists", true):
      self.init(.addressInUse, "\(what): bluetoothd has it from this program already.")
    case ("DoesNotExist", true):
      self.init(.addressUnavailable, "\(what): bluetoothd does not know it\(Self.saying(text)).")
    default:
      self.init(.other, "\(what): bluetoothd refused: \(Self.plain(last))\(Self.saying(text)).")
    }
  }

  private static func saying(_ text: String) -> String {
    let text = plain(text)
    return text.isEmpty ? "" : " (“\(text)”)"
  }

  /// Somebody else's words, short and without control characters.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(120).filter { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }))
  }
}
