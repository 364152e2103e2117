// swift-tools-version: 6.2

import PackageDescription

// A package of its own, because it needs others: a server, a database, and a browser for its tests.
//
// The package manager calls packages what their folders are called: in a clone that is called “web”, this one
// cannot be told from the one that it depends on.
let package = Package(
  name: "Web",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-diffable", path: "../..", traits: ["NATS", "SQLite"]),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.10.0"),
  ],
  targets: [
    .target(
      // Lists/Processes, Lists/Gallery and Board/Sharing are links to the sources of livelist.
      name: "WebLists",
      dependencies: [
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableQueries", package: "swift-diffable"),
        .product(name: "DiffableSQLite", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
        .product(name: "DiffableTerminal", package: "swift-diffable"),
        .product(name: "DiffableWeb", package: "swift-diffable"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      resources: [.copy("Page")],
      // Of the sources of livelist, those behind the trait.
      swiftSettings: [.define("SQLite")]
    ),
    .executableTarget(
      name: "web",
      dependencies: ["WebLists", .product(name: "NIOCore", package: "swift-nio")]
    ),
    .executableTarget(
      // What figures.py measures, in release mode.
      name: "figures",
      dependencies: [
        "WebLists",
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
    .executableTarget(
      // The program of the article on databases.
      name: "issues",
      dependencies: [
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableQueries", package: "swift-diffable"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .executableTarget(
      // What it costs, in release mode. Issues.swift is a link to that of the program.
      name: "issue-figures",
      dependencies: [
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableQueries", package: "swift-diffable"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "DatabaseTests",
      dependencies: [
        // Tests run the command.
        "issues",
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableTesting", package: "swift-diffable"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "WebTests",
      dependencies: [
        "WebLists",
        // Tests run the command.
        "web",
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
        .product(name: "DiffableTesting", package: "swift-diffable"),
        .product(name: "DiffableWeb", package: "swift-diffable"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
