// swift-tools-version: 6.3
import PackageDescription

/// A plugin: a library product of its own under `Plugins/<group>/<name>`.
func plugin(_ group: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: ["CheckIn", "CheckInCore"] + dependencies, path: "Plugins/\(group)/\(name)")
}

/// An example program under `Examples/<name>`.
func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: ["CheckIn", "CheckInCore", "ExampleSupport"] + dependencies, path: "Examples/\(name)")
}

/// A test target under `Tests/<name>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: ["CheckIn", "CheckInCore", "TestSupport"] + dependencies,
    path: "Tests/\(name)Tests", exclude: [])
}

let plugins = [
  plugin("Transports", "InMemoryTransport"),
  plugin("Transports", "TCPTransport", ["SocketIO"]),
  plugin("Transports", "UnixTransport", ["SocketIO"]),
  plugin("Transports", "TLSTransport", ["Certificates", "COpenSSL"]),
  plugin("Transports", "BlueZTransport", ["SocketIO", "CBluetooth", "CLinux", "CSystemd"]),
  plugin("Transports", "FaultTransport"),
  plugin("Authenticators", "MockBiometricAuthenticator"),
  plugin("Authenticators", "PINAuthenticator"),
  plugin("Cryptography", "OpenSSLCryptography", ["COpenSSL"]),
  plugin("Containers", "PKCS12Container", ["Certificates", "COpenSSL"]),
  plugin("Ledgers", "SQLiteLedger", ["CSQLite"]),
  plugin("Ledgers", "InMemoryLedger"),
  plugin("Tokens", "TokenList"),
  plugin("Tokens", "TicketTokens"),
  plugin("Enrollment", "SQLiteEnrollmentStore", ["Enrollment", "EnrollmentCore", "CSQLite"]),
  plugin("Enrollment", "PictureFolder", ["Enrollment", "EnrollmentCore"]),
  plugin("Enrollment", "SMSOutbox", ["Enrollment", "EnrollmentCore"]),
  plugin("Enrollment", "FileVault", ["Enrollment", "EnrollmentCore"]),
  plugin("Enrollment", "ScryptSealing", ["Enrollment", "EnrollmentCore", "COpenSSL"]),
  plugin("Enrollment", "JPEGCropping", ["EnrollmentCore", "CTurboJPEG"]),
]

let everyPlugin = plugins.map { Target.Dependency.byName(name: $0.name) }

let package = Package(
  name: "swift-checkin",
  products: [
    .library(name: "CheckInCore", targets: ["CheckInCore"]),
    .library(name: "CheckIn", targets: ["CheckIn"]),
    .library(name: "EnrollmentCore", targets: ["EnrollmentCore"]),
    .library(name: "Enrollment", targets: ["Enrollment"]),
    .library(name: "SocketIO", targets: ["SocketIO"]),
    .library(name: "Certificates", targets: ["Certificates"]),
    .library(name: "TransportConformance", targets: ["TransportConformance"]),
  ] + plugins.map { .library(name: $0.name, targets: [$0.name]) },
  targets: [
    .target(name: "CheckInCore"),
    .target(name: "CheckIn", dependencies: ["CheckInCore"]),
    .target(name: "EnrollmentCore", dependencies: ["CheckInCore"]),
    .target(name: "Enrollment", dependencies: ["CheckIn", "CheckInCore", "EnrollmentCore"]),
    .target(name: "SocketIO", dependencies: ["CheckIn", "CheckInCore", "CLinux"]),
    .target(name: "Certificates", dependencies: ["CheckInCore", "COpenSSL"]),
    .target(name: "TransportConformance", dependencies: ["CheckIn", "CheckInCore"]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  ] + plugins + [
    .target(
      name: "ExampleSupport",
      dependencies: ["Certificates", "CheckIn", "CheckInCore", "Enrollment", "EnrollmentCore", "SocketIO"]
        + everyPlugin,
      path: "Examples/Support"),
    example("kiosk", everyPlugin + ["Certificates"]),
    example("attendee", everyPlugin + ["Certificates", "Enrollment", "EnrollmentCore"]),
    example("enroll", everyPlugin + ["Certificates", "Enrollment", "EnrollmentCore", "SocketIO"]),
    example("enrollment-server", everyPlugin + ["Certificates", "Enrollment", "EnrollmentCore", "SocketIO"]),
    example("demo", everyPlugin),
    example("organizer", everyPlugin + ["Certificates"]),
    example("conformance", everyPlugin + ["Certificates", "SocketIO", "TransportConformance"]),
    .target(name: "TestSupport", dependencies: ["CheckIn", "CheckInCore"], path: "Tests/TestSupport"),
    tests("CheckInCore", ["OpenSSLCryptography"]),
    tests("EnrollmentCore", ["EnrollmentCore", "OpenSSLCryptography"]),
    tests("CheckIn", everyPlugin + ["SocketIO"]),
    tests("SocketIO", ["SocketIO", "CLinux"]),
    tests("InMemoryTransport", ["InMemoryTransport", "TransportConformance"]),
    tests("TCPTransport", ["TCPTransport", "SocketIO", "TransportConformance"]),
    tests(
      "BlueZTransport",
      ["BlueZTransport", "SocketIO", "CBluetooth", "InMemoryTransport", "TransportConformance"]),
    .executableTarget(
      name: "ChannelSpeed", dependencies: ["BlueZTransport", "CheckIn", "CheckInCore", "SocketIO"],
      path: "Tests/Fixtures/ChannelSpeed"),
    tests("UnixTransport", ["UnixTransport", "SocketIO", "TransportConformance"]),
    tests(
      "FaultTransport",
      ["FaultTransport", "InMemoryTransport", "TCPTransport", "UnixTransport", "SocketIO", "TransportConformance"]),
    tests(
      "TLSTransport",
      [
        "TLSTransport", "CertificateForgery", "Certificates", "COpenSSL", "InMemoryTransport", "OpenSSLCryptography",
        "SocketIO", "TCPTransport", "TransportConformance",
      ]),
    .executableTarget(
      name: "TLSCost", dependencies: ["CheckIn", "CheckInCore", "Certificates", "InMemoryTransport", "TLSTransport"],
      path: "Tests/Fixtures/TLSCost"),
    tests("TransportConformance", ["TransportConformance", "InMemoryTransport", "TCPTransport", "SocketIO"]),
    tests("MockBiometricAuthenticator", ["MockBiometricAuthenticator"]),
    tests("PINAuthenticator", ["PINAuthenticator"]),
    tests("OpenSSLCryptography", ["OpenSSLCryptography"]),
    .target(
      name: "CertificateForgery", dependencies: ["CheckInCore", "Certificates", "OpenSSLCryptography"],
      path: "Tests/CertificateForgery"),
    tests("Certificates", ["Certificates", "CertificateForgery", "OpenSSLCryptography"]),
    .target(
      name: "ContainerMutation", dependencies: ["COpenSSL"], path: "Tests/Fixtures/ContainerMutation"),
    .executableTarget(
      name: "ContainerFuzz",
      dependencies: ["CheckIn", "CheckInCore", "Certificates", "PKCS12Container", "ContainerMutation", "COpenSSL"],
      path: "Tests/Fixtures/ContainerFuzz"),
    tests("PKCS12Container", ["PKCS12Container", "Certificates", "ContainerMutation", "COpenSSL"]),
    .executableTarget(
      name: "LedgerFixture", dependencies: ["CheckIn", "CheckInCore", "SQLiteLedger"],
      path: "Tests/Fixtures/LedgerFixture"),
    tests("SQLiteLedger", ["SQLiteLedger", "CSQLite", "LedgerFixture"]),
    tests("InMemoryLedger", ["InMemoryLedger"]),
    .target(name: "PictureMaking", dependencies: ["CTurboJPEG"], path: "Tests/Fixtures/PictureMaking"),
    .executableTarget(name: "MakePicture", dependencies: ["PictureMaking"], path: "Tests/Fixtures/MakePicture"),
    tests("JPEGCropping", ["EnrollmentCore", "JPEGCropping", "PictureMaking", "CTurboJPEG"]),
    tests(
      "Enrollment",
      [
        "Enrollment", "EnrollmentCore", "SQLiteEnrollmentStore", "PictureFolder", "SMSOutbox", "FileVault",
        "ScryptSealing", "MockBiometricAuthenticator", "OpenSSLCryptography", "Certificates", "TLSTransport",
        "InMemoryTransport", "FaultTransport", "CSQLite",
      ]),
    tests("TokenList", ["TokenList", "OpenSSLCryptography"]),
    tests("TicketTokens", ["TicketTokens", "OpenSSLCryptography"]),
    tests(
      "ExampleSupport",
      ["ExampleSupport", "Certificates", "EnrollmentCore", "InMemoryTransport", "SocketIO", "TLSTransport"]),
    tests(
      "Examples",
      ["ExampleSupport", "CSQLite", "SocketIO", "Certificates", "Enrollment", "EnrollmentCore", "PictureMaking"]
        + everyPlugin),
    tests(
      "Documentation",
      ["ExampleSupport", "SocketIO", "TransportConformance", "kiosk", "attendee", "organizer"] + everyPlugin),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
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
