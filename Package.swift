// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "swift-diffable",
  platforms: [
    .macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2),
  ],
  products: [
    .library(name: "Diffable", targets: ["Diffable"]),
    .library(name: "DiffableQueries", targets: ["DiffableQueries"]),
    .library(name: "DiffablePages", targets: ["DiffablePages"]),
    .library(name: "DiffableSync", targets: ["DiffableSync"]),
    .library(name: "DiffableWeb", targets: ["DiffableWeb"]),
    .library(name: "DiffableLayout", targets: ["DiffableLayout"]),
    .library(name: "DiffableViews", targets: ["DiffableViews"]),
    .library(name: "DiffableTerminal", targets: ["DiffableTerminal"]),
    .library(name: "DiffableTesting", targets: ["DiffableTesting"]),
    .library(name: "DiffableNATS", targets: ["DiffableNATS"]),
    .library(name: "DiffableSQLite", targets: ["DiffableSQLite"]),
    .executable(name: "livelist", targets: ["livelist"]),
  ],
  traits: [
    .trait(
      name: "InternalChecks",
      description: "Check every invariant after every mutation. Slow: for tests of this package."
    ),
    .trait(
      name: "NATS",
      description: "Lists that several servers write, over NATS. Needs the C library of NATS."
    ),
    .trait(
      name: "SQLite",
      description: "Lists that outlive their process, in a file. Needs the C library of SQLite."
    ),
  ],
  targets: [
    // No product: what users name of it, `Diffable` exports.
    .target(name: "DiffableEngine"),
    .target(name: "Diffable", dependencies: ["DiffableEngine"]),
    .target(name: "DiffableQueries", dependencies: ["Diffable"]),
    .target(name: "DiffablePages", dependencies: ["Diffable"]),
    .target(name: "DiffableSync", dependencies: ["Diffable"]),
    // Swift has the texts of the modules; a test compares them.
    .target(name: "DiffableWeb", exclude: ["Modules"]),
    .target(
      name: "DiffableLayout",
      // Rounding a `Double` calls the C library's `floor` in optimized builds. Who imports
      // Foundation has it linked already; the layout must not need Foundation for that.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]
    ),
    .target(name: "DiffableViews", dependencies: ["Diffable", "DiffableLayout"]),
    .target(
      // Its logs are for lists on several servers.
      name: "DiffableTesting", dependencies: ["Diffable", "DiffableSync", "DiffableViews"]),
    .target(
      name: "DiffableTerminal", dependencies: ["Diffable", "DiffableLayout", "DiffableViews"]),
    // Without the traits nothing imports the C libraries, and their modules are not built.
    .systemLibrary(name: "CNATS"),
    .systemLibrary(name: "CSQLite"),
    .target(
      name: "DiffableNATS",
      dependencies: [
        "Diffable", "DiffableSync", .target(name: "CNATS", condition: .when(traits: ["NATS"])),
      ]),
    .target(
      name: "DiffableSQLite",
      dependencies: [
        "Diffable", "DiffableSync", .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
      ]),
    .executableTarget(
      name: "livelist",
      dependencies: [
        "Diffable", "DiffableLayout", "DiffablePages", "DiffableQueries", "DiffableSync",
        "DiffableTerminal", "DiffableViews",
        .target(name: "DiffableNATS", condition: .when(traits: ["NATS"])),
        .target(name: "DiffableSQLite", condition: .when(traits: ["SQLite"])),
      ]),
    .target(
      // Runs the compiler on programs that tests are about.
      name: "ToolchainSupport", path: "Tests/ToolchainSupport"
    ),
    .target(
      // Shows what a program sends to a terminal.
      name: "TerminalSupport", dependencies: ["DiffableTerminal"], path: "Tests/TerminalSupport"
    ),
    .target(
      // How much the exhaustive and random tests do.
      name: "TestScope", path: "Tests/TestScope"
    ),
    .target(
      // Sources of every kind, for tests of renderers.
      name: "SourceSupport", dependencies: ["Diffable", "DiffableSync", "DiffableTesting"],
      path: "Tests/SourceSupport"
    ),
    .target(
      // Lists, clocks and identifiers that the tests of several modules use.
      name: "ListSupport", dependencies: ["Diffable", "DiffableTesting"], path: "Tests/ListSupport"
    ),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Diffable", "DiffableLayout", "DiffablePages", "DiffableQueries", "DiffableSync",
        "DiffableTerminal", "DiffableTesting", "DiffableViews", "DiffableWeb", "ToolchainSupport",
      ],
      exclude: ["Interfaces"],
      resources: [.copy("Dialects/Programs")]
    ),
    .testTarget(
      name: "DiffableTests",
      dependencies: [
        "Diffable", "DiffableEngine", "DiffableTesting", "ListSupport", "TestScope",
        "ToolchainSupport",
      ],
      resources: [.copy("DataSource/CompileTime/Programs")]
    ),
    .testTarget(
      // Here are also the tests of what snapshots and outlines do to trees.
      name: "DiffableEngineTests",
      dependencies: ["Diffable", "DiffableEngine", "DiffableTesting", "ListSupport", "TestScope"]
    ),
    .testTarget(
      name: "DiffableQueriesTests",
      dependencies: [
        "Diffable", "DiffableEngine", "DiffableQueries", "DiffableTesting", "ListSupport",
        "TestScope",
      ]
    ),
    .testTarget(
      name: "DiffablePagesTests",
      dependencies: ["Diffable", "DiffablePages", "DiffableTesting", "ListSupport", "TestScope"]
    ),
    .testTarget(
      // Here are also the tests that are about all kinds of sources.
      name: "DiffableSyncTests",
      dependencies: [
        "Diffable", "DiffableEngine", "DiffablePages", "DiffableQueries", "DiffableSync",
        "DiffableTesting", "ListSupport", "TestScope",
      ]
    ),
    .testTarget(
      // Node runs those in Modules, and TypeScript reads Types.
      name: "DiffableWebTests",
      dependencies: ["Diffable", "DiffableSync", "DiffableTesting", "DiffableWeb", "TestScope"],
      exclude: ["Cases/cases.json", "Modules", "Types"]
    ),
    .testTarget(
      name: "DiffableLayoutTests",
      dependencies: ["DiffableLayout", "TestScope"],
      resources: [.copy("Fixtures")]
    ),
    .testTarget(
      name: "DiffableViewsTests",
      dependencies: [
        "Diffable", "DiffableLayout", "DiffablePages", "DiffableQueries", "DiffableSync",
        "DiffableTesting", "DiffableViews", "ListSupport", "TestScope",
      ]
    ),
    .testTarget(
      name: "DiffableTestingTests",
      dependencies: ["Diffable", "DiffableSync", "DiffableTesting", "DiffableViews", "TestScope"]
    ),
    .testTarget(
      name: "DiffableTerminalTests",
      dependencies: [
        "Diffable", "DiffableLayout", "DiffableQueries", "DiffableTerminal", "DiffableTesting",
        "DiffableViews", "TerminalSupport", "TestScope",
      ],
      exclude: ["Golden"]
    ),
    .testTarget(
      // One world judges sources, pages and hosts of every kind, built on each other.
      name: "WorldTests",
      dependencies: [
        "Diffable", "DiffableLayout", "DiffablePages", "DiffableQueries", "DiffableSync",
        "DiffableTerminal", "DiffableTesting", "DiffableViews", "ListSupport", "TestScope",
      ]
    ),
    .testTarget(
      name: "LivelistTests",
      dependencies: [
        "Diffable", "DiffableLayout", "DiffablePages", "DiffableQueries", "DiffableSync",
        "DiffableTerminal", "DiffableTesting", "DiffableViews", "TerminalSupport", "TestScope",
        "livelist",
      ],
      exclude: ["Golden"]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// UIKit and AppKit are Apple's. On Linux modules under Tests stand in for them, so that the hosts can be
// checked, and that screens which use them can be tested.
#if os(Linux)
package.products.append(
  .library(name: "DiffableUI", targets: ["DiffableUI", "UIKit", "AppKit"]))
package.targets += [
  .target(
    name: "StandInSupport", dependencies: ["Diffable", "DiffableTesting"],
    path: "Tests/StandIns/Support"),
  .target(
    name: "UIKit", dependencies: ["Diffable", "DiffableTesting", "StandInSupport"],
    path: "Tests/StandIns/UIKit"),
  .target(
    name: "AppKit", dependencies: ["Diffable", "DiffableTesting", "StandInSupport"],
    path: "Tests/StandIns/AppKit"),
  .target(name: "SwiftUI", path: "Tests/StandIns/SwiftUI"),
  .target(
    name: "DiffableUI",
    dependencies: ["Diffable", "DiffableLayout", "DiffableViews", "UIKit", "AppKit"]),
  .testTarget(
    name: "DiffableUITests",
    dependencies: [
      "Diffable", "DiffableLayout", "DiffablePages", "DiffableTesting", "DiffableUI",
      "DiffableViews", "SourceSupport", "StandInSupport", "TestScope", "ToolchainSupport", "UIKit",
      "AppKit",
    ],
    exclude: ["Fixtures"],
    // The toolchain names overlays of Testing for UIKit and AppKit, and has none.
    swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]
  ),
]
for target in package.targets where target.name == "DocumentationTests" {
  target.dependencies += ["DiffableUI", "StandInSupport", "UIKit", "AppKit", "SwiftUI"]
}
#else
package.products.append(.library(name: "DiffableUI", targets: ["DiffableUI"]))
package.targets.append(
  .target(name: "DiffableUI", dependencies: ["Diffable", "DiffableLayout", "DiffableViews"]))
#endif

// Fewer targets of tests build sooner: DIFFABLE_TEST_TARGETS=DiffableQueriesTests swift test
if let chosen = Context.environment["DIFFABLE_TEST_TARGETS"] {
  let names = chosen.split(separator: " ").map(String.init)
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// Fewer files of them sooner still: DIFFABLE_TEST_SOURCES has paths below Tests.
if let chosen = Context.environment["DIFFABLE_TEST_SOURCES"] {
  let paths = chosen.split(whereSeparator: \.isWhitespace).map(String.init)
  for target in package.targets where target.type == .test {
    let folder = "\(target.name)/"
    target.sources = paths.filter { $0.hasPrefix(folder) }.map {
      String($0.dropFirst(folder.count))
    }
  }
}

// One dialect for every target that has Swift code.
for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// The tests run in a third of the time with optimised libraries: DIFFABLE_OPTIMIZED=1 swift test. Packages
// that depend on this one may not have such settings. What only tests use is not worth the time.
if Context.environment["DIFFABLE_OPTIMIZED"] != nil {
  for target in package.targets
  where target.type == .regular && target.path?.hasPrefix("Tests/") != true {
    target.swiftSettings =
      (target.swiftSettings ?? []) + [
        .unsafeFlags(
          ["-O", "-whole-module-optimization", "-num-threads", "2"],
          .when(configuration: .debug))
      ]
  }
}

// A release build of the tests is for the laws of optimized libraries. To optimize the tests as well
// would take longer than it saves, and so would it to tell a debugger more of them than their lines.
for target in package.targets where target.type == .test {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .unsafeFlags(["-Xfrontend", "-gline-tables-only"]),
      // A compiler for each file would take twice as long as one for many.
      .unsafeFlags(
        ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"],
        .when(configuration: .release)),
    ]
}
