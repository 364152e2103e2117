// swift-tools-version: 6.2

import PackageDescription

// A package of its own, because it needs the C library of NATS, and servers for its tests.
let package = Package(
  name: "Cluster",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-diffable", path: "../..", traits: ["NATS", "SQLite"])
  ],
  targets: [
    .target(
      // Starts servers, and ends them in all ways in which servers end.
      name: "Servers", path: "Servers"
    ),
    .target(
      // A list of numbers over NATS, as processes of these tests share it.
      name: "SharedNumbers",
      dependencies: [
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableNATS", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
      ],
      path: "SharedNumbers"
    ),
    .executableTarget(
      // A process that writes to the list.
      name: "participant", dependencies: ["SharedNumbers"], path: "Participant"
    ),
    .executableTarget(
      // What a list costs beside plain publishing.
      name: "figures",
      dependencies: [
        "Servers", "SharedNumbers",
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableNATS", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
      ],
      path: "Figures"
    ),
    .testTarget(
      name: "ClusterTests",
      dependencies: [
        "Servers", "SharedNumbers", "participant",
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableNATS", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
        .product(name: "DiffableTesting", package: "swift-diffable"),
      ],
      path: "Tests"
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
