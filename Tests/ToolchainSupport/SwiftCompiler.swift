package import Foundation

/// The compiler of the toolchain that built the running test.
package struct SwiftCompiler: Sendable {
  private let modules: BuiltModules

  package init() throws {
    modules = try BuiltModules()
  }

  /// Looks for errors in source files, and returns them as the compiler prints them.
  ///
  /// Goes as far as SIL, unless there are errors before: isolation between regions, and what closures
  /// capture, is checked there, and a type check alone lets wrong programs pass.
  package func check(_ sources: [URL]) async throws -> ProgramResult {
    try await compile(
      ["-frontend", "-emit-sil", "-parse-as-library", "-module-name", "Programs"]
        + ["-o", "/dev/null"] + sources.map(\.path))
  }

  /// Looks for errors and warnings in the source files of a module with the settings of a dialect.
  ///
  /// The driver is asked, not the frontend: it knows where macros lie.
  package func check(_ sources: [URL], in dialect: Dialect) async throws -> ProgramResult {
    try await compile(
      ["-emit-sil", "-wmo", "-o", "/dev/null", "-parse-as-library", "-warnings-as-errors"]
        + dialect.arguments + sources.map(\.path))
  }

  /// Looks for errors in source files of a module of this package, with the other files at hand.
  package func check(
    _ sources: [URL], beside others: [URL], as module: String
  ) async throws -> ProgramResult {
    try await compile(
      ["-frontend", "-typecheck", "-parse-as-library", "-module-name", module]
        + ["-package-name", Self.package]
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].flatMap {
          ["-enable-upcoming-feature", $0]
        } + sources.flatMap { ["-primary-file", $0.path] } + others.map(\.path))
  }

  /// What the build calls this package: the name of its folder.
  package static let package = String(
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().lastPathComponent.lowercased()
      .map { $0.isLetter || $0.isNumber ? $0 : "_" })

  /// Makes a library of modules, so that programs that need them are linked in little time.
  package func link(_ modules: [String], to library: URL) async throws -> ProgramResult {
    let objects = try modules.flatMap(self.modules.objects(of:))
    return try await compile(
      ["-emit-library", "-o", library.path] + Self.sanitizers + objects.map(\.path))
  }

  /// Makes a program of source files and of a library with the modules they import.
  package func build(
    _ sources: [URL], linking library: URL, to executable: URL
  ) async throws -> ProgramResult {
    try await compile(
      ["-parse-as-library", "-warnings-as-errors", "-o", executable.path] + Self.sanitizers
        + (sources + [library]).map(\.path))
  }

  /// Makes an object file of a source file, as a release build does of a program.
  package func optimize(_ source: URL, to object: URL) async throws -> ProgramResult {
    try await compile([
      "-O", "-wmo", "-parse-as-library", "-module-name", "Client", "-c", source.path,
      "-o", object.path,
    ])
  }

  /// What the compiler prints of the interface of a module that was built for the running test.
  package func interface(of module: String) async throws -> String {
    let result = try await Self.run(
      "swift-synthesize-interface", ["-module-name", module, "-I", modules.folder.path, "-o", "-"])
    return result.output
  }

  /// Where a module lies that was built for the running test.
  package func module(_ name: String) -> URL {
    modules.folder.appendingPathComponent("\(name).swiftmodule")
  }

  /// Runs the frontend, with modules from nowhere but where the arguments say.
  package func frontend(_ arguments: [String]) async throws -> ProgramResult {
    try await Self.run("swiftc", ["-frontend"] + arguments + ["-swift-version", "6"])
  }

  private func compile(_ arguments: [String]) async throws -> ProgramResult {
    try await Self.run("swiftc", arguments + ["-swift-version", "6", "-I", modules.folder.path])
  }

  /// Runs a program of the toolchain.
  static func run(_ program: String, _ arguments: [String]) async throws -> ProgramResult {
    #if os(macOS)
    let launcher = "/usr/bin/xcrun"
    #else
    let launcher = "/usr/bin/env"
    #endif
    return try await URL(fileURLWithPath: launcher).run([program] + arguments)
  }

  /// Objects that were built for a sanitizer need it when they are linked.
  private static var sanitizers: [String] {
    let program = dlopen(nil, RTLD_NOW)
    let initializers = ["address": "__asan_init", "thread": "__tsan_init"]
    return initializers.compactMap { name, symbol in
      dlsym(program, symbol) == nil ? nil : "-sanitize=\(name)"
    }
  }
}
