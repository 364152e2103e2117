import Foundation
import Testing
import ToolchainSupport

/// What an app writes compiles under the settings of its module, without a warning.
///
/// New Xcode projects isolate every declaration to the main actor, and some change where
/// asynchronous functions run. The first line of each program says what is expected of it.
@Suite(.timeLimit(.minutes(15))) struct DialectTests {
  @Test func `There are programs of both kinds`() {
    let names = DialectProgram.all.map(\.name)
    #expect(Page.all.contains { $0.path.hasSuffix("/DefaultIsolation.md") })
    let isAboutUIKit = Page.modules.contains("UIKit") ? 1 : 0
    #expect(names.count { $0.hasPrefix("Compiles") } == 15 + isAboutUIKit)
    #expect(names.count { !$0.hasPrefix("Compiles") } == 7)
  }

  @Test(arguments: Dialect.all)
  private func `Programs compile, as files of one module`(in dialect: Dialect) async throws {
    let programs = DialectProgram.all.filter { $0.expected == "compiles" }
    let result = try await DialectProgram.check(programs, in: dialect)
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  /// These programs forget where their code runs, so the setting that moves it is on.
  @Test(
    arguments: DialectProgram.all.filter { $0.expected != "compiles" },
    Dialect.all.filter(\.isolatesToMainActor))
  private func `The compiler says what is wrong`(
    _ program: DialectProgram, in dialect: Dialect
  ) async throws {
    let result = try await program.check(in: dialect)
    #expect(result.errors.contains(program.expected), "\(result.errors)")
    #expect(result.status != 0)

    // With the one word that is missing, it compiles.
    guard program.text.contains("/* nonisolated */") else { return }
    let corrected = try await program.corrected.check(in: dialect)
    #expect(corrected.errors == "")
    #expect(corrected.status == 0)
  }

  @Test(arguments: Page.all.filter { $0.path.hasSuffix("/DefaultIsolation.md") }, Dialect.all)
  func `The page about default isolation compiles`(_ page: Page, in dialect: Dialect) async throws {
    let result = try await DialectProgram(name: page.path, text: page.program).check(in: dialect)
    #expect(result.errors == "")
  }

  /// In the other dialect of modules without isolation the program is built and runs; see `PageTests`.
  @Test(arguments: Page.all.filter(\.hasProgram))
  func `The program of a page means the same with approachable concurrency`(
    _ page: Page
  ) async throws {
    let program = DialectProgram(name: page.path, text: page.program)
    for dialect in Dialect.all where !dialect.isolatesToMainActor && dialect.isApproachable {
      let result = try await program.check(in: dialect)
      #expect(result.errors == "", "\(dialect)")
    }
  }
}
