internal import CheckIn
internal import Glibc
internal import SocketIO
internal import Synchronization

/// Asks the system for the addresses of names. The system's call blocks, so each look-up has a thread of its own, as
/// long as it lasts; there are never more than ``most`` of them.
final class NameLookUps: Sendable {
  /// How many look-ups may go on at once.
  static let most = 16

  private typealias Answer = Result<[SocketAddress], TransportError>

  private let running = Mutex(0)

  /// The addresses, in the order in which they should be tried; numbers at once, names when the system answers.
  func addresses(
    of address: TCPAddress, before deadline: Deadline
  ) async throws(TransportError) -> [SocketAddress] {
    if address.isNumeric { return Self.numeric(address).map { [$0] } ?? [] }
    let waiter = Waiter<Answer>()
    try start(LookUp(address: address, waiter: waiter, owner: self))
    switch await waiter.wait(before: deadline) {
    case .settled(let answer): return try answer.get()
    case .cancelled: throw TransportError(.cancelled, "Looking up “\(address.host)” was cancelled.")
    case .timedOut: throw TransportError(.timedOut, "The name service gave no answer for “\(address.host)” in time.")
    }
  }

  /// The address that a number stands for; nil when it is none.
  static func numeric(_ address: TCPAddress) -> SocketAddress? {
    try? ask(address.host, port: address.port, flags: AI_NUMERICHOST).get().first
  }

  private final class LookUp: Sendable {
    let address: TCPAddress
    private let waiter: Waiter<Answer>
    private let owner: NameLookUps

    init(address: TCPAddress, waiter: Waiter<Answer>, owner: NameLookUps) {
      self.address = address
      self.waiter = waiter
      self.owner = owner
    }

    func run() {
      let answer = NameLookUps.ask(address.host, port: address.port, flags: AI_ADDRCONFIG)
      end(answer)
    }

    func end(_ answer: Answer) {
      owner.running.withLock { $0 -= 1 }
      waiter.settle(answer)
    }
  }

  private func start(_ lookUp: LookUp) throws(TransportError) {
    let isAllowed = running.withLock { running in
      guard running < Self.most else { return false }
      running += 1
      return true
    }
    guard isAllowed else {
      throw TransportError(
        .resourcesExhausted, "\(Self.most) names are being looked up already. Wait, or give the address as a number.")
    }
    var thread = pthread_t()
    // Unsafe: the thread takes over this reference, and gives it back when it ends.
    let reference = unsafe Unmanaged.passRetained(lookUp)
    let result = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<LookUp>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, reference.toOpaque())
    guard result == 0 else {
      unsafe reference.release()
      lookUp.end(.failure(TransportError(system: ENOMEM, "A thread for a look-up cannot be started")))
      return
    }
    pthread_detach(thread)
  }

  private static func ask(_ host: String, port: UInt16, flags: Int32) -> Answer {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_protocol = Int32(IPPROTO_TCP)
    unsafe hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    // Unsafe: C makes a list, which is walked here and given back.
    let result = unsafe getaddrinfo(host, String(port), &hints, &list)
    defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
    guard result == 0 else { return .failure(error(result, host)) }
    var addresses: [SocketAddress] = []
    var item = unsafe list
    while let entry = unsafe item {
      let found = unsafe SocketAddress { address, length in
        let size = unsafe Int(entry.pointee.ai_addrlen)
        guard let source = unsafe entry.pointee.ai_addr, size <= Int(length) else { return false }
        unsafe UnsafeMutableRawPointer(address).copyMemory(from: source, byteCount: size)
        length = socklen_t(size)
        return true
      }
      if let found { addresses.append(found) }
      unsafe item = unsafe entry.pointee.ai_next
    }
    return .success(addresses)
  }

  private static func error(_ number: Int32, _ host: String) -> TransportError {
    // Unsafe: the text is the C library's own and is copied at once.
    let words = unsafe String(cString: gai_strerror(number))
    return TransportError(
      .unreachable, "The name “\(host)” has no address: \(words). Check its spelling, and the network.")
  }
}
