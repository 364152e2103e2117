import Testing
import TestScope

@testable import Diffable

@Suite("A derived source is its query, worked out on the states of what it follows", .deadline)
struct DerivedLawTests {
  typealias Derived = SourceProgramRun.Derived

  /// - Returns: What is wrong; `nil` if nothing is.
  private static func failure(of program: SourceProgram) async -> String? {
    do {
      try await SourceProgramRun(program).run()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "Whatever is written, asked and followed, by chains, merges, joins, intersections and differences of any queries",
    arguments: 1...rounds(320 as UInt64))
  func equalsScratch(seed: UInt64) async throws {
    let program = SourceProgram(seed: seed)
    guard await Self.failure(of: program) != nil else { return }
    let smallest = await program.shrunk { await Self.failure(of: $0) != nil }
    let failure =
      await Self.failure(of: smallest) ?? "nothing any more: it depends on the order of tasks"
    Issue.record("seed \(seed): \(failure)\n\(smallest)")
  }
}
