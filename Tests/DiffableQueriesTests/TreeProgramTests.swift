import ListSupport
import TestScope
import Testing

@Suite("Queries over trees show what arrays say that they should", .deadline)
struct TreeProgramTests {
  /// - Returns: What is wrong; `nil` if nothing is.
  private static func failure(of program: TreeProgram) async -> String? {
    do {
      try await TreeProgramRun(program).run()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "Whatever is written, moved from tree to tree, renamed, folded and asked",
    arguments: 1...rounds(320 as UInt64))
  func random(seed: UInt64) async {
    let program = TreeProgram(seed: seed)
    guard let failure = await Self.failure(of: program) else { return }
    let smallest = await program.shrunk { await Self.failure(of: $0) != nil }
    let last = await Self.failure(of: smallest) ?? failure
    Issue.record("seed \(seed): \(last)\n\(smallest)")
  }
}
