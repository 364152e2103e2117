import Diffable
import DiffableUI
import DiffableViews
import TestScope
import Testing

/// A list that sticks to its end, in views of UIKit and AppKit that change their size.
@Suite(.deadline) @MainActor
struct StickingToEndTests {
  @Test(
    "A chat of five rows at its end shows the last three when it becomes shorter",
    arguments: ListViewKind.allCases)
  func shorterChat(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture)
      list.controller.sticksToEnd = true
      try await list.apply(state(Array(0..<50)))
      #expect(fixture.numbers == [45, 46, 47, 48, 49])
      fixture.resizes(toHeight: 60)
      #expect(fixture.numbers == [47, 48, 49])
      try await list.apply(state(Array(0..<51)))
      #expect(fixture.numbers == [48, 49, 50])
      fixture.resizes(toHeight: 0)
      try await list.apply(state(Array(0..<60)))
      fixture.resizes(toHeight: 100)
      #expect(fixture.numbers == [55, 56, 57, 58, 59])
      // A user who has scrolled away is left alone.
      fixture.userScrolls(to: 800)
      fixture.resizes(toHeight: 60)
      #expect(fixture.numbers == [40, 41, 42])
      try await list.apply(state(Array(0..<61)))
      #expect(fixture.numbers == [40, 41, 42])
      fixture.resizes(toHeight: 0)
      try await list.apply(state(Array(-5..<61)))
      fixture.resizes(toHeight: 60)
      #expect(fixture.numbers == [40, 41, 42])
    }
    try await check(kind.makeFixture(height: 100))
  }

  @Test(
    "A list that sticks to its end shows it when the view becomes too short for all rows",
    arguments: ListViewKind.allCases)
  func tooShort(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture)
      list.controller.sticksToEnd = true
      try await list.apply(state([0, 1, 2]))
      list.controller.scroll(to: .end)
      #expect(fixture.numbers == [0, 1, 2])
      fixture.resizes(toWidth: 50)
      fixture.resizes(toHeight: 40)
      #expect(fixture.numbers == [1, 2])
      #expect(fixture.host.viewport.contentLength == 60)
      try await list.apply(state([0, 1, 2, 3]))
      #expect(fixture.numbers == [2, 3])
      fixture.resizes(toHeight: 100)
      fixture.resizes(toHeight: 40)
      #expect(fixture.numbers == [2, 3])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(height: 100))
  }
}
