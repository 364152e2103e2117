// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: [
    // Forwarded to the library, so that the program knows how the library was built.
    .trait(name: "InternalChecks", description: "Refuse to run: the library would check itself.")
  ],
  dependencies: [
    .package(
      name: "swift-diffable", path: "..",
      traits: [.trait(name: "InternalChecks", condition: .when(traits: ["InternalChecks"]))]),
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
        .product(name: "DiffableTesting", package: "swift-diffable"),
      ],
      path: "Benchmarks/DiffableBenchmarks",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ],
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
