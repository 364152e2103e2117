import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

/// A row with a text.
struct Song: Identifiable, Equatable, Sendable {
  var id: Int
  var title: String
  var plays = 0
}

@Suite("A search shows the rows that match, the best first", .deadline) struct SearchedRowsTests {
  typealias Songs = ModelSource<Folder, Song>
  typealias Query = ListQuery<Songs.Batch, Songs.Batch>
  typealias Row = FoundRow<Int, Song>
  typealias Found = DerivedSource<Songs.Batch, ModelBatch<Folder, Row>>

  /// What is searched, and how.
  struct Search: Sendable {
    var text = ""
    var limit: Int?
    var kind = Kind.text
    var omitsEmptySections = false

    enum Kind: Sendable { case text, read, ranked }

    func query(_ query: Query) -> ListQuery<Songs.Batch, ModelBatch<Folder, Row>> {
      let query = omitsEmptySections ? query.omittingEmptySections() : query
      switch kind {
      case .text: return query.searched(for: text, in: \.title, first: limit)
      case .read: return query.searched(for: text, in: { $0.title }, first: limit)
      case .ranked:
        let pattern = SearchPattern(text)
        return query.ranked(first: limit) { Self.match($0, pattern) }
      }
    }

    static func match(_ song: Song, _ pattern: SearchPattern) -> SearchMatch? {
      guard song.plays != 2 else { return SearchMatch(score: .nan) }
      return pattern.match(in: song.title).map {
        SearchMatch(score: Double(Int($0.score) / 20 + song.plays), ranges: $0.ranges)
      }
    }

    /// The rows of a section, from scratch.
    func rows(_ songs: [Song]) -> [Row] {
      let pattern = SearchPattern(text)
      let found = songs.compactMap { song -> Row? in
        let match = kind == .ranked ? Self.match(song, pattern) : pattern.match(in: song.title)
        return match.flatMap { $0.score.isNaN ? nil : Row(id: song.id, song, $0) }
      }
      let sorted = found.enumerated().sorted { left, right in
        (-left.element.match.score, left.offset) < (-right.element.match.score, right.offset)
      }
      return sorted.prefix(limit.map { max(0, $0) } ?? .max).map(\.element)
    }
  }

  private static func title(_ random: inout SplitMix64) -> String {
    let letters = Array("aabbcs éß-")
    return String((0..<random.number(below: 7)).map { _ in random.element(of: letters) ?? "a" })
  }

  @Test(
    "However the list changes and the user types, at any pace", arguments: 1...rounds(150 as UInt64)
  )
  func law(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let base = Songs()
    let count = random.element(of: [6, 20, 200]) ?? 6
    try await base.apply(
      (0..<count).map { Song(id: $0, title: Self.title(&random), plays: random.number(below: 4)) },
      section: { Folder($0.id % 3) })
    var search = Search()
    search.kind = random.element(of: [.text, .text, .read, .ranked]) ?? .text
    search.limit = random.element(of: [nil, nil, 3, 1, 0, -1, 1_000]) ?? nil
    search.omitsEmptySections = random.chance(oneIn: 3)
    let found: Found = base.derived(search.query)
    var follower = RowFollower(found)
    var next = 1_000
    for step in 0..<40 {
      let name = "seed \(seed), step \(step), \(search)"
      if random.chance(oneIn: 2) {
        type(&search, &random)
        try await found.setQuery(search.query)
      } else {
        try await write(base, &next, &random)
      }
      guard random.chance(oneIn: 2) else { continue }
      let (shown, found) = (try await follower.rows(), await found.snapshot)
      let state = await base.snapshot
      var expected = PlainRows<Song>(state).sections.map { ($0, search.rows($1)) }
      if search.omitsEmptySections { expected.removeAll { $0.1.isEmpty } }
      #expect(shown == PlainRows(sections: expected), "\(name): \(expected)")
      for (section, _) in expected {
        #expect(found.sectionModel(of: section) == state.sectionModel(of: section), "\(name)")
      }
    }
  }

  /// Extends the text, shortens it, replaces it, or searches otherwise.
  private func type(_ search: inout Search, _ random: inout SplitMix64) {
    switch random.number(below: 8) {
    case 0...2: search.text.append(random.element(of: Array("abcs é")) ?? "a")
    case 3...4: search.text = String(search.text.dropLast())
    case 5: search.text = Self.title(&random)
    case 6: search.text = ""
    default: search.limit = random.element(of: [nil, 2, 5]) ?? nil
    }
  }

  private func write(_ base: Songs, _ next: inout Int, _ random: inout SplitMix64) async throws {
    let snapshot = await base.snapshot
    let rows = Array(snapshot.itemIdentifiers)
    let some = random.sample(rows, oneIn: rows.count > 50 ? 40 : 5)
    let anchor = random.element(of: rows) ?? 0
    let section = random.element(of: Array(snapshot.sectionIdentifiers))
    let kind = random.number(below: 9)
    let titles = some.map { _ in Self.title(&random) }
    let song = Song(id: next, title: Self.title(&random), plays: random.number(below: 4))
    next += 1
    try await base.update { [next] draft in
      switch kind {
      case 0: draft.deleteItems(some)
      case 1:
        for item in some where item != anchor { try draft.moveItem(item, beforeItem: anchor) }
      case 2:
        for (item, title) in zip(some, titles) { try draft.update(item) { $0.title = title } }
      case 3: for item in some { try draft.update(item) { $0.plays += 1 } }
      case 4:
        let sections = draft.snapshot.sectionIdentifiers
        if sections.count > 1 {
          try draft.snapshot.moveSection(sections[0], afterSection: sections[sections.count - 1])
        }
      case 5 where rows.contains(anchor):
        var other = song
        other.plays = 1
        try draft.renameItem(anchor, to: other)
      case 6:
        if let section, snapshot.numberOfSections > 2, next % 2 == 0 {
          draft.snapshot.deleteSections([section])
        } else {
          draft.snapshot.appendSections([Folder(next)])
          try draft.appendItems([song], toSection: Folder(next))
        }
      case 7: if let section { try draft.setSectionModel("\(next)", for: section) }
      default:
        if rows.contains(anchor), next % 2 == 0 {
          try draft.insertItems([song], beforeItem: anchor)
        } else if let section {
          try draft.appendItems([song], toSection: section)
        }
      }
    }
  }

  @Test("Identifiers are searched as they are, and all rows together if they are ungrouped")
  func identifiers() async throws {
    let base = DataSourceActor<Int, String>()
    try await base.update { snapshot in
      snapshot.appendSections([0, 1])
      try snapshot.appendItems(["So What", "Blue in Green"], toSection: 0)
      try snapshot.appendItems(["Blue", "All Blues", "Sow"], toSection: 1)
    }
    let found = base.derived { $0.searched(for: "blue", in: \.self) }
    #expect(await found.snapshot.description == "0[Blue in Green] 1[Blue All Blues]")
    let all = base.derived { $0.ungrouped().searched(for: "blue", in: \.self, first: 2) }
    #expect(Array(await all.snapshot.itemIdentifiers) == ["Blue", "Blue in Green"])
    let row = try #require(await all.element(for: "Blue in Green"))
    #expect(row.match.ranges.pieces(of: row.element).first?.text == "Blue")
    #expect(row.count == 13)
  }

  @Test("Rows that are ranked are not dragged among each other") func drags() async throws {
    let base = Songs()
    try await base.apply((0..<4).map { Song(id: $0, title: "a") }, section: { _ in 0 })
    let found = base.derived { $0.searched(for: "a", in: \.title) }
    var drag = try #require(try await found.beginReorder([3]))
    _ = try drag.proposed(to: .before(0))
    #expect(drag.refusal == .sorted)
  }
}
