// Counts what one thing costs: pieces of memory, and system calls on sockets. No times, so it is the same on every machine.
internal import CCostCount
internal import Glibc

let arguments = CommandLine.arguments.dropFirst()
guard let counting = arguments.first.flatMap({ name in Counting.all.first { $0.name == name } }),
  arguments.dropFirst().allSatisfy({ $0 == "spoiled" })
else {
  print(
    """
    usage: CostCount NAME [spoiled]

    Counts \(Counting.all.map(\.name).joined(separator: ", ")). Prints two numbers: allocations and
    system calls for each. With “spoiled” there is one allocation more in each, to see that it is counted.
    """)
  exit(64)
}
// Should something wait without end, this does not.
alarm(120)
guard leave_out_openssl() == 0 else {
  print("OpenSSL was used before it could be left out.")
  exit(70)
}
let cost = try await counting.run(isSpoiled: arguments.contains("spoiled"))
print("\(cost.allocations) \(cost.calls)")
