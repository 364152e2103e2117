import Foundation
import ToolchainSupport

/// Modules under the rules of Objective-C, to check sources against on a system that has no Objective-C.
struct ObjectiveCModules {
  static let flags = [
    "-enable-objc-interop", "-disable-objc-attr-requires-foundation-module",
  ]

  private let folder: URL
  private let compiler: SwiftCompiler

  /// Builds modules into a folder.
  ///
  /// - Throws: ``Failure`` if the compiler refuses one.
  init(_ names: [String], in folder: URL) async throws {
    self.folder = folder
    compiler = try SwiftCompiler()
    let source = folder.appendingPathComponent("ObjectiveC.swift")
    try Self.objectiveC.write(to: source, atomically: true, encoding: .utf8)
    try await run(
      [
        "-emit-module", "-parse-as-library", "-module-name", "ObjectiveC", source.path, "-o",
        module("ObjectiveC"),
      ])
    for name in names {
      let printed = try await compiler.interface(of: name)
      let interface = folder.appendingPathComponent("\(name).swiftinterface")
      try ObjectiveCInterface(of: name, printed)
        .text.write(to: interface, atomically: true, encoding: .utf8)
      try await run(
        [
          "-compile-module-from-interface", "-module-name", name, interface.path, "-o",
          module(name),
        ])
      // Else the compiler would take the one for the other.
      try FileManager.default.removeItem(at: interface)
    }
    // Not their folder, which has the modules that stand in as well.
    for name in ["Diffable", "DiffableEngine", "DiffableLayout", "DiffableViews"] {
      try FileManager.default.createSymbolicLink(
        at: URL(fileURLWithPath: module(name)), withDestinationURL: compiler.module(name))
    }
  }

  /// What the compiler says of sources; nothing if they are right.
  func check(_ sources: [URL], module: String = "Sources") async throws -> String {
    try await compiler.frontend(
      [
        "-typecheck", "-parse-as-library", "-module-name", module, "-package-name",
        SwiftCompiler.package,
      ]
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].flatMap {
          ["-enable-upcoming-feature", $0]
        } + Self.flags + ["-I", folder.path] + sources.map(\.path)
    ).errors
  }

  private func module(_ name: String) -> String {
    folder.appendingPathComponent("\(name).swiftmodule").path
  }

  private func run(_ arguments: [String]) async throws {
    let result = try await compiler.frontend(arguments + Self.flags + ["-I", folder.path])
    guard result.status == 0 else { throw Failure(errors: result.errors) }
  }

  struct Failure: Error { let errors: String }

  /// The root of this package.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The module that the compiler looks for, and what Objective-C has as well, in its own way.
  private static let objectiveC = """
    public import Foundation
    public struct ObjCBool {}
    public struct Selector {}
    public struct NSZone {}
    @objc public final class ObjectiveCObject {}
    public protocol Represented: _ObjectiveCBridgeable where _ObjectiveCType == NSNumber {}
    extension Represented {
      public func _bridgeToObjectiveC() -> NSNumber { 0 }
      public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
      public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSNumber, result: inout Self?
      ) -> Bool { false }
      public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self {
        fatalError("only checked")
      }
    }
    extension CGPoint: @retroactive _ObjectiveCBridgeable, Represented {}
    """
}
