import Foundation
import Testing
import ToolchainSupport

/// What the compiler makes of a program that has one source: the loops over its elements, and nothing
/// of the engine, which the library has compiled.
@Suite(.timeLimit(.minutes(15))) struct ClientTests {
  /// The most bytes of machine code that such a program may have.
  private static let limit = 60_000

  /// What of the library may be compiled anew for the types of a program; a default argument is code of
  /// the caller.
  private static let kernel = [
    " in DiffableEngine.ElementKernel.init<",
    "(extension in DiffableEngine):Swift.Hashable.storedHash", " in default argument ",
  ]

  @Test func `A program with one source compiles its elements' loops only`() async throws {
    let program = try #require(
      Bundle.module.url(
        forResource: "CompilesOneSource", withExtension: "swift", subdirectory: "Programs"))
    try await withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("Client.o")
      let result = try await SwiftCompiler().optimize(program, to: url)
      try #require(result.status == 0, "\(result.errors)")

      let object = try await ObjectFile(url)
      let size = try await object.machineCodeSize()
      #expect(size <= Self.limit, "\(size) bytes of machine code")

      // Generic code of the standard library counts as well where it is for types of the engine.
      let engine = try await object.definedSymbols(containing: "Diffable").filter { name in
        name.contains("specialization") && !Self.kernel.contains(where: name.contains)
      }
      let (count, examples) = (engine.count, engine.prefix(20).joined(separator: "\n"))
      #expect(count == 0, "Specialisations, among others:\n\(examples)")
    }
  }
}
