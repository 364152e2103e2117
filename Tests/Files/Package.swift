// swift-tools-version: 6.2

import PackageDescription

// A package of its own, because it needs the C library of SQLite, and processes that are killed.
let package = Package(
  name: "Files",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-diffable", path: "../..", traits: ["NATS", "SQLite"])
  ],
  targets: [
    .systemLibrary(
      // Another program's way to a file.
      name: "RawSQLite", path: "RawSQLite"
    ),
    .target(
      // A list of numbers in a file.
      name: "Numbers",
      dependencies: [
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
      ],
      path: "Numbers"
    ),
    .executableTarget(
      // A process that writes to the list.
      name: "writer",
      dependencies: [
        "Numbers",
        .product(name: "DiffableSQLite", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
      ],
      path: "Writer"
    ),
    .executableTarget(
      // The program of the article.
      name: "example",
      dependencies: [
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableSQLite", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
      ],
      path: "Example"
    ),
    .executableTarget(
      // What a list costs beside plain SQLite.
      name: "figures",
      dependencies: [
        "Numbers", "RawSQLite",
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableSQLite", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
      ],
      path: "Figures"
    ),
    .testTarget(
      name: "DiffableSQLiteTests",
      dependencies: [
        "Numbers", "RawSQLite", "example", "writer",
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableSQLite", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
        .product(name: "DiffableTesting", package: "swift-diffable"),
      ],
      path: "Tests"
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
