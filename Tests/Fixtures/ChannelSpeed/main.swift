// What the Bluetooth transport makes of an L2CAP channel: the same as Tests/BluetoothLab/speed.c does in C, over the same
// channel. “make bluetooth-speed” runs the two in turn. See Documentation/Bluetooth.md.
internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import SocketIO

let arguments = Array(CommandLine.arguments.dropFirst())
// Should something wait without end, this does not.
alarm(600)
do {
  let loops = try EventLoopGroup(count: 1)
  let transport = BlueZTransport(loops: loops)
  switch (arguments.first, arguments.count) {
  case ("serve", 2):
    let listener = try await transport.listen(on: Endpoint(arguments[1]))
    while true { try await SpeedServer.serve(listener.accept()) }
  case ("dial", 4):
    guard let rounds = UInt32(arguments[2]), let count = UInt32(arguments[3]) else { fallthrough }
    let connection = try await transport.connect(to: Endpoint(arguments[1]), before: .now + .seconds(30))
    let (round, speed) = try await SpeedDialler.measure(connection, rounds: rounds, bytes: count)
    print(round, speed)
  default:
    print("usage: ChannelSpeed serve URL | ChannelSpeed dial URL ROUNDS BYTES")
    exit(64)
  }
} catch {
  print("ChannelSpeed: \(error)")
  exit(1)
}
