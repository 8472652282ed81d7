internal import COpenSSL
internal import CheckInCore
internal import ContainerMutation
internal import Foundation
internal import PKCS12Container

// Reads mutated containers, a million unless told otherwise, and counts what became of them. It is a failure when the
// process crashes, when the library's queue of errors is left full, or when one file takes longer than ten seconds.
//
//   ContainerFuzz FOLDER-OF-VECTORS COUNT SEED

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]), let seed = UInt64(arguments[3]), count > 0 else {
  FileHandle.standardError.write(Data("usage: ContainerFuzz FOLDER COUNT SEED\n".utf8))
  exit(64)
}
var mutation = try ContainerMutation(
  folders: ["\(arguments[1])/pkcs12", "\(arguments[1])/pkcs12-fuzz"], seed: seed)
let password = SecretBytes(Array(ContainerMutation.password.utf8))
let started = ContinuousClock.now
var outcomes: [String: Int] = [:]
var longest = Duration.zero
// Where the process crashes, the file that did it is the last one here.
let witness = FileManager.default.temporaryDirectory.appending(path: "container-fuzz-\(seed).p12")
let keepsWitness = ProcessInfo.processInfo.environment["KEEP_WITNESS"] != nil

for index in 0..<count {
  let file = mutation.next()
  if keepsWitness { try Data(file).write(to: witness) }
  let began = ContinuousClock.now
  var outcome = "read"
  do throws(ContainerError) {
    _ = try PKCS12Container.read(
      file, password: index % 7 == 0 ? nil : password, now: 1_800_000_000, allowsOutdatedCipher: index % 3 == 0)
  } catch {
    outcome = error.code.description
  }
  longest = max(longest, ContinuousClock.now - began)
  outcomes[outcome, default: 0] += 1
  guard ERR_peek_error() == 0, longest < .seconds(10) else {
    try Data(file).write(to: witness)
    print("file \(index) of seed \(seed) left an error behind or took \(longest): \(witness.path)")
    exit(1)
  }
}
let seconds = (ContinuousClock.now - started).components.seconds
print("\(count) mutations of \(mutation.corpusSize) files, seed \(seed): \(seconds) s, the longest \(longest)")
for (outcome, number) in outcomes.sorted(by: { $0.value > $1.value }) {
  print("  \(outcome): \(number)")
}
