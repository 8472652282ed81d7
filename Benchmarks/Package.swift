// swift-tools-version: 6.3
import PackageDescription

/// Libraries of the product.
func products(_ names: [String]) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "swift-checkin") }
}

/// swift-checkin measured beside others. A package of its own, so that what it links is no dependency of the product's.
let package = Package(
  name: "checkin-benchmarks",
  dependencies: [.package(name: "swift-checkin", path: "..")],
  targets: [
    .target(
      name: "CPeers",
      cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])],
      linkerSettings: ["nng", "zmq", "cbor", "ssl", "crypto", "sqlite3"].map { .linkedLibrary($0) }),
    .target(
      name: "Scene",
      dependencies: products([
        "CheckInCore", "CheckIn", "InMemoryTransport", "OpenSSLCryptography", "TicketTokens",
        "MockBiometricAuthenticator", "PINAuthenticator",
      ])),
    .target(name: "CCounting", cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])]),
    .executableTarget(
      name: "costs",
      dependencies: ["CCounting", "Scene"]
        + products(["CheckInCore", "CheckIn", "SocketIO", "TCPTransport", "OpenSSLCryptography", "InMemoryLedger"])),
    .executableTarget(
      name: "bench",
      dependencies: ["CPeers", "Scene"]
        + products([
          "CheckInCore", "CheckIn", "SocketIO", "Certificates", "InMemoryTransport", "TCPTransport", "TLSTransport",
          "OpenSSLCryptography", "InMemoryLedger", "SQLiteLedger",
        ])),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where !target.name.hasPrefix("C") {
  target.swiftSettings = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
  ]
}
