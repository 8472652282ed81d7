package import CheckIn
internal import Glibc
internal import SocketIO

extension TransportError {
  /// What an error number means where it has a meaning of its own with Bluetooth; else what it always means.
  ///
  /// - Parameter what: the beginning of a sentence, without a full stop.
  package init(bluetooth number: Int32, _ what: String) {
    let own: (code: Code, text: String)?
    switch number {
    case EAFNOSUPPORT:
      own = (
        .addressUnavailable,
        "This machine's kernel has no Bluetooth, or keeps it from this program's container. Take another transport."
      )
    case EPROTONOSUPPORT:
      own = (
        .addressUnavailable,
        "This machine's kernel has Bluetooth without L2CAP (the module “bluetooth” is incomplete)."
      )
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN:
      own = (
        .unreachable,
        "\(what): no controller of this machine can reach it. Is Bluetooth switched on here (“bluetoothctl power on”)?"
      )
    case ENODEV, EADDRNOTAVAIL:
      own = (.addressUnavailable, "\(what): this machine has no such Bluetooth controller.")
    case ECONNREFUSED:
      own = (.refused, "\(what): the device is there, and nobody listens at this PSM, or its queue is full.")
    case EACCES, EPERM, EKEYREJECTED:
      own = (
        .permissionDenied,
        "\(what): it is not permitted. A PSM below 0x80 (below 0x1001 without Low Energy) needs CAP_NET_BIND_SERVICE;"
          + " a higher security level needs a pairing."
      )
    default: own = nil
    }
    guard let own else {
      self.init(system: number, what)
      return
    }
    self.init(own.code, own.text, cause: SystemError(number))
  }

  /// What ended a dial, in the words of Bluetooth.
  package var ofBluetoothDial: TransportError {
    guard let cause = cause as? SystemError else { return self }
    switch cause.number {
    case ECONNRESET, ECONNABORTED, ENOTCONN, EPIPE:
      // The link broke before there was a channel, so nothing was lost on one.
      return TransportError(
        .unreachable, "The connection broke off while it was made. Is the device near, and switched on?", cause: cause)
    case EINPROGRESS, EALREADY, ETIMEDOUT:
      return TransportError(.timedOut, "The device does not answer. Is it near, and switched on?", cause: cause)
    case ENODEV, EADDRNOTAVAIL:
      return TransportError(.unreachable, TransportError(bluetooth: cause.number, "Dialling").message, cause: cause)
    default:
      return TransportError(bluetooth: cause.number, "Dialling")
    }
  }
}
