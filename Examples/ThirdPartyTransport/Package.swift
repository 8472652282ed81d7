// swift-tools-version: 6.3
import PackageDescription

/// A package outside of swift-checkin with a transport of its own, proven by the suite.
let package = Package(
  name: "third-party-transport",
  products: [.library(name: "FIFOTransport", targets: ["FIFOTransport"])],
  dependencies: [.package(name: "swift-checkin", path: "../..")],
  targets: [
    .target(
      name: "FIFOTransport",
      dependencies: [
        .product(name: "CheckIn", package: "swift-checkin"), .product(name: "CheckInCore", package: "swift-checkin"),
      ]),
    .testTarget(
      name: "FIFOTransportTests",
      dependencies: ["FIFOTransport", .product(name: "TransportConformance", package: "swift-checkin")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
