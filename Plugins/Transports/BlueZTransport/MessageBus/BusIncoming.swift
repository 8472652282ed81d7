internal import CSystemd
internal import Glibc

/// A message that came.
@safe
struct BusIncoming: ~Copyable {
  enum Kind {
    /// The answer to a message of ours, by its cookie.
    case answer(UInt64)
    case signal
    case request
    case other
  }

  // Unsafe: a message that the caller holds for longer than this value lives.
  private let message: OpaquePointer

  init(_ message: OpaquePointer) {
    unsafe self.message = unsafe message
  }

  var kind: Kind {
    var type: UInt8 = 0
    // Unsafe: C fills the number.
    guard unsafe sd_bus_message_get_type(message, &type) >= 0 else { return .other }
    switch Int(type) {
    case Int(SD_BUS_MESSAGE_METHOD_CALL): return .request
    case Int(SD_BUS_MESSAGE_SIGNAL): return .signal
    case Int(SD_BUS_MESSAGE_METHOD_RETURN), Int(SD_BUS_MESSAGE_METHOD_ERROR):
      var cookie: UInt64 = 0
      return unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0 ? .answer(cookie) : .other
    default: return .other
    }
  }

  /// What an answer says.
  var result: Result<[BusValue], BusError> {
    // Unsafe: the error and its texts are the message's own, and copied.
    if let error = unsafe sd_bus_message_get_error(message), let name = unsafe error.pointee.name {
      let text = unsafe error.pointee.message.map { unsafe String(cString: $0) }
      return .failure(.refused(name: unsafe String(cString: name), text: text ?? ""))
    }
    do throws(BusError) {
      return .success(try arguments())
    } catch {
      return .failure(error)
    }
  }

  /// The signal; nil where it cannot be read.
  var signal: BusSignal? {
    guard let arguments = try? arguments() else { return nil }
    var signal = BusSignal(path, interface, member, arguments)
    signal.sender = sender
    return signal
  }

  /// The call; nil where it cannot be read.
  var request: BusRequest? {
    guard let arguments = try? arguments() else { return nil }
    return BusRequest(sender: sender, path: path, interface: interface, member: member, arguments: arguments)
  }

  /// Answers the call, if its caller waits for that.
  func reply(_ answer: BusAnswer, over bus: OpaquePointer?) {
    // Unsafe: C looks at the message.
    guard unsafe sd_bus_message_get_expect_reply(message) > 0 else { return }
    if case .values(let values) = answer, unsafe send(values, over: bus) { return }
    var (name, text) = ("org.freedesktop.DBus.Error.Failed", "The answer cannot be written.")
    if case .error(let given, let why) = answer { (name, text) = (given, why) }
    // Unsafe: C copies the texts; a reply that cannot be sent is a time-out at the other end.
    var error = unsafe sd_bus_error()
    _ = unsafe sd_bus_error_set(&error, name, text)
    _ = unsafe sd_bus_reply_method_error(message, &error)
    unsafe sd_bus_error_free(&error)
  }

  private func send(_ values: [BusValue], over bus: OpaquePointer?) -> Bool {
    var reply: OpaquePointer?
    // Unsafe: C makes the message, which is freed here.
    guard unsafe sd_bus_message_new_method_return(message, &reply) >= 0, let reply = unsafe reply else { return false }
    defer { _ = unsafe sd_bus_message_unref(reply) }
    do throws(BusError) {
      try unsafe BusWriting(reply).append(values)
    } catch {
      return false
    }
    return unsafe sd_bus_send(bus, reply, nil) >= 0
  }

  private func arguments() throws(BusError) -> [BusValue] {
    var reading = unsafe BusReading(message)
    return try reading.all()
  }

  // Unsafe, all four: the texts are the message's own, and copied.
  private var sender: String { unsafe sd_bus_message_get_sender(message).map { unsafe String(cString: $0) } ?? "" }
  private var path: String { unsafe sd_bus_message_get_path(message).map { unsafe String(cString: $0) } ?? "" }
  private var interface: String {
    unsafe sd_bus_message_get_interface(message).map { unsafe String(cString: $0) } ?? ""
  }
  private var member: String { unsafe sd_bus_message_get_member(message).map { unsafe String(cString: $0) } ?? "" }
}
