// What TLS costs, measured: “make tls-cost” and “make leaks” run it. See Documentation/TLS.md.
internal import Glibc

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let measurement = arguments.first, let count = arguments.last.flatMap({ Int($0) }),
  count > 0
else {
  print(
    """
    usage: TLSCost idle COUNT        holds COUNT idle connections at once; at most 1 GiB for 10,000, both ends together
           TLSCost handshakes COUNT  shakes hands COUNT times, one after the other; nothing may be left
           TLSCost repeat COUNT      the same without a judgement of its own, for a leak checker
           TLSCost lose COUNT        the same, and loses each connection on purpose: a leak checker must find them
    """)
  exit(64)
}
// Should something wait without end, this does not.
alarm(600)
switch measurement {
case "idle": exit(try await IdleConnections.measure(count) ? 0 : 1)
case "handshakes": exit(try await Handshakes.measure(count) ? 0 : 1)
case "repeat":
  try await Handshakes.run(count, in: Hall())
  exit(0)
case "lose":
  try await Handshakes.lose(count, in: Hall())
  exit(0)
default: exit(64)
}
