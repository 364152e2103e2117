package import Foundation

/// The compiler of the toolchain that built the running test.
package struct SwiftCompiler: Sendable {
  private let modules: BuiltModules

  package init() throws {
    modules = try BuiltModules()
  }

  /// Looks for errors in a source file, and answers them as the compiler prints them.
  ///
  /// Goes as far as SIL: isolation between regions, and what closures capture, is checked there, and
  /// a type check alone lets wrong programs pass.
  package func check(_ source: URL) async throws -> ProgramResult {
    try await compile(["-frontend", "-emit-sil", "-o", "/dev/null", source.path])
  }

  /// Makes a program of source files and of the modules they import.
  package func build(
    _ sources: [URL], linking modules: [String], to executable: URL
  ) async throws -> ProgramResult {
    let objects = try modules.flatMap(self.modules.objects(of:))
    return try await compile(
      ["-parse-as-library", "-warnings-as-errors", "-o", executable.path] + Self.sanitizers
        + (sources + objects).map(\.path))
  }

  private func compile(_ arguments: [String]) async throws -> ProgramResult {
    #if os(macOS)
    let (launcher, compiler) = ("/usr/bin/xcrun", "swiftc")
    #else
    let (launcher, compiler) = ("/usr/bin/env", "swiftc")
    #endif
    return try await URL(fileURLWithPath: launcher).run(
      [compiler] + arguments + ["-swift-version", "6", "-I", modules.folder.path])
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
