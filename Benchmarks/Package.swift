// swift-tools-version: 6.3
import PackageDescription

/// swift-checkin measured beside others. A package of its own, so that what it links is no dependency of the product's.
let package = Package(
  name: "checkin-benchmarks",
  dependencies: [.package(name: "swift-checkin", path: "..")],
  targets: [
    .target(
      name: "CPeers",
      cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])],
      linkerSettings: ["nng", "zmq", "cbor", "ssl", "crypto", "sqlite3"].map { .linkedLibrary($0) }),
    .executableTarget(
      name: "bench",
      dependencies: ["CPeers"]
        + [
          "CheckInCore", "CheckIn", "SocketIO", "Certificates", "InMemoryTransport", "TCPTransport", "TLSTransport",
          "OpenSSLCryptography", "TicketTokens", "InMemoryLedger", "SQLiteLedger", "MockBiometricAuthenticator",
          "PINAuthenticator",
        ].map { .product(name: $0, package: "swift-checkin") }),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name == "bench" {
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
