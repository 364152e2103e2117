// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: [
    // Forwarded to the library, so that the program knows how the library was built.
    .trait(name: "InternalChecks", description: "Refuse to run: the library would check itself."),
    .trait(name: "NATS", description: "Share a build of the library with packages under Tests."),
    .trait(name: "SQLite", description: "Share a build of the library with packages under Tests."),
  ],
  dependencies: [
    .package(
      name: "swift-diffable", path: "..",
      traits: Set(
        ["InternalChecks", "NATS", "SQLite"].map {
          .trait(name: $0, condition: .when(traits: [$0]))
        })),
    // No traits: counting allocations needs a library that replaces malloc.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .target(
      // Swift does not see what the C library knows about its heap.
      name: "CHeapStatistics", path: "Benchmarks/CHeapStatistics"
    ),
    .executableTarget(
      name: "DiffableBenchmarks",
      dependencies: [
        "CHeapStatistics",
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableLayout", package: "swift-diffable"),
        .product(name: "DiffablePages", package: "swift-diffable"),
        .product(name: "DiffableQueries", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
        .product(name: "DiffableTesting", package: "swift-diffable"),
      ],
      path: "Benchmarks/DiffableBenchmarks",
      swiftSettings: settings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    ),
    .executableTarget(
      name: "DiffableProbes",
      dependencies: [
        "CHeapStatistics",
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableSync", package: "swift-diffable"),
        .product(name: "DiffableTesting", package: "swift-diffable"),
        .product(name: "DiffableViews", package: "swift-diffable"),
      ],
      path: "Benchmarks/DiffableProbes",
      swiftSettings: settings
    ),
    .executableTarget(
      // Links to the library's own sources: what they cost when compiled with the program.
      name: "DiffableProbesInOneModule",
      dependencies: [
        .product(name: "Diffable", package: "swift-diffable"),
        .product(name: "DiffableTesting", package: "swift-diffable"),
      ],
      path: "Benchmarks/DiffableProbesInOneModule",
      // One file makes the core and its engine two modules.
      exclude: ["Diffable/Diffable.docc", "Diffable/Engine.swift"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
