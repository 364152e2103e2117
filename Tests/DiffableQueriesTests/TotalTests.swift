import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableQueries

private struct File: Identifiable, Equatable, Sendable {
  let id: Int
  var parent: Int?
  var size = 0
  var drive = 0
}

/// A number whose every copy is counted.
private struct Counted: AdditiveArithmetic, Sendable {
  var value = 0
  var payload: Payload?

  static var zero: Self { Self() }
  static func == (left: Self, right: Self) -> Bool { left.value == right.value }
  static func + (left: Self, right: Self) -> Self {
    Self(value: left.value + right.value, payload: right.payload ?? left.payload)
  }
  static func - (left: Self, right: Self) -> Self {
    Self(value: left.value - right.value, payload: left.payload)
  }
}

/// `DerivedLawTests` compare totals of lists and sections with what is worked out from scratch.
@Suite("A value of many rows can be followed", .deadline) struct TotalTests {
  private typealias Files = ModelSource<Int, File>

  @Test("Of what is below a row, in any trees", arguments: 1...rounds(48 as UInt64))
  func below(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let files = Files()
    var shown: [Int: File] = [:]
    let trees = files.derived { $0.outlined(by: \.parent, isExpanded: seed % 2 == 0) }
    let totals = (0..<4).map {
      trees.total(below: $0, .both(.count, .sum(of: \.size)) { [$0, $1] })
    }
    for step in 0..<30 {
      for _ in 0..<1 + random.number(below: 3) {
        let id = random.number(below: 24)
        let isGone = random.chance(oneIn: 4)
        // A parent comes before its children: there are no circles.
        shown[id] =
          isGone
          ? nil
          : File(
            id: id, parent: id > 0 ? random.number(below: id) : nil,
            size: random.number(below: 100), drive: random.chance(oneIn: 8) ? 1 : 0)
      }
      let files1 = shown.values.sorted { $0.id < $1.id }
      try await files.apply(files1, section: \.drive)
      func isBelow(_ file: File, _ id: Int) -> Bool {
        guard let parent = file.parent.flatMap({ shown[$0] }), parent.drive == file.drive else {
          return false
        }
        return parent.id == id || isBelow(parent, id)
      }
      for (id, total) in totals.enumerated() where !random.chance(oneIn: 3) {
        let below = shown[id] == nil ? [] : files1.filter { isBelow($0, id) }
        let value = await total.value
        #expect(
          value == [below.count, below.reduce(0) { $0 + $1.size }],
          "seed \(seed), step \(step), below \(id)")
      }
    }
  }

  /// What a user does in one write with others.
  private enum Edit: Sendable {
    case insertSection(Int, before: Int), deleteSection(Int), moveSection(Int, before: Int)
    case append(File), deleteItem(Int), moveItem(Int, before: Int), resize(Int, Int)
  }

  @Test(
    "Of a section, while sections come, go and move as their rows change",
    arguments: 1...rounds(320 as UInt64))
  func sections(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let files = Files()
    // The last section is large, so that changes are followed, and no total begins again.
    var sizes = Dictionary(uniqueKeysWithValues: (0..<600).map { ($0, $0 % 97) })
    try await files.apply(
      sizes.keys.sorted().map { File(id: $0, size: $0 % 97, drive: min($0 / 6, 6)) },
      section: \.drive)
    let totals = (0..<6).map {
      files.total(ofSection: $0, .both(.count, .sum(of: \.size)) { [$0, $1] })
    }
    for step in 0..<20 {
      let edits: [Edit] = (0..<2 + random.number(below: 5)).map { number in
        let (section, other) = (random.number(below: 6), random.number(below: 7))
        let (item, place) = (random.number(below: 48), random.number(below: 48))
        return switch random.number(below: 8) {
        case 0: .insertSection(section, before: other)
        case 1: .deleteSection(section)
        case 2, 3: .moveSection(section, before: other)
        case 4: .append(File(id: 600 + 10 * step + number, size: place, drive: section))
        case 5: .deleteItem(item)
        case 6: .moveItem(item, before: place)
        default: .resize(item, place)
        }
      }
      try await files.update { draft in
        for edit in edits {
          switch edit {
          case .insertSection(let section, let other):
            guard !draft.snapshot.containsSection(section) else { continue }
            guard draft.snapshot.containsSection(other) else { continue }
            try draft.snapshot.insertSections([section], beforeSection: other)
          case .deleteSection(let section): draft.deleteSections([section])
          case .moveSection(let section, let other):
            guard section != other, draft.snapshot.containsSection(section) else { continue }
            guard draft.snapshot.containsSection(other) else { continue }
            try draft.snapshot.moveSection(section, beforeSection: other)
          case .append(let file):
            guard draft.snapshot.containsSection(file.drive) else { continue }
            try draft.appendItems([file], toSection: file.drive)
          case .deleteItem(let item): draft.deleteItems([item])
          case .moveItem(let item, let place):
            guard item != place, draft.snapshot.containsItem(item) else { continue }
            guard draft.snapshot.containsItem(place) else { continue }
            try draft.moveItem(item, beforeItem: place)
          case .resize(let item, let size):
            guard draft.snapshot.containsItem(item) else { continue }
            try draft.update(item) { $0.size = size }
          }
        }
      }
      let state = await files.snapshot
      for edit in edits {
        switch edit {
        case .append(let file): sizes[file.id] = file.size
        case .resize(let item, let size): sizes[item] = size
        default: break
        }
      }
      for (section, total) in totals.enumerated() where !random.chance(oneIn: 3) {
        let rows =
          state.containsSection(section) ? state.itemIdentifiers(inSection: section) : []
        let value = await total.value
        #expect(
          value == [rows.count, rows.reduce(0) { $0 + (sizes[$1] ?? 0) }],
          "seed \(seed), step \(step), section \(section): \(edits)")
      }
    }
  }

  @Test func `It follows a row that gets another identifier`() async throws {
    let files = Files()
    try await files.apply(
      [File(id: 1), File(id: 2, parent: 1, size: 5), File(id: 3, size: 7)], section: \.drive)
    try await files.update { draft in
      var outline = Outline<Int>()
      try outline.append([1, 3])
      try outline.append([2], to: 1)
      try draft.snapshot.setOutline(outline, forSection: 0)
    }
    let total = files.total(below: 1, .sum(of: \.size))
    #expect(await total.value == 5)
    try await files.update { try $0.renameItem(1, to: File(id: 9)) }
    #expect(await total.value == 5)
  }

  @Test("It follows a row that gets another identifier while a query hides it", arguments: 0..<8)
  func renamedWhileHidden(looks: Int) async throws {
    let files = Files()
    try await files.apply([File(id: 1), File(id: 2, parent: 1, size: 5)], section: \.drive)
    let tree = files.derived { $0.filter { $0.size >= 0 }.outlined(by: \.parent) }
    let total = tree.total(below: 1, .sum(of: \.size))
    #expect(await total.value == 5)
    let edits: [@Sendable (inout Files.Draft) throws -> Void] = [
      { try $0.update(1) { $0.size = -1 } },
      { draft in
        try draft.renameItem(1, to: File(id: 9, size: -1))
        try draft.update(2) { $0.parent = 9 }
      },
      { try $0.update(9) { $0.size = 0 } },
    ]
    for (number, edit) in edits.enumerated() {
      try await files.update { try edit(&$0) }
      // Somebody may look at the tree in between, and at the total or not.
      guard looks & 1 << number != 0 else { continue }
      _ = await tree.snapshot
      if number == 1 { #expect(await total.value == 0) }
    }
    #expect(await total.value == 5)
  }

  @Test func `Each value once, to the end`() async throws {
    let files = Files()
    try await files.apply([File(id: 1, size: 1)], section: \.drive)
    let sum = files.total(.sum(of: \.size))
    var values = sum.updates().makeAsyncIterator()
    #expect(await values.next() == 1)
    // What does not change the sum is not told.
    try await files.apply([File(id: 2, size: 1)], section: \.drive)
    try await files.apply([File(id: 2, size: 4)], section: \.drive)
    #expect(await values.next() == 4)
    await files.finish()
    #expect(await values.next() == nil)
    #expect(await sum.value == 4)
  }

  @Test func `One row of many costs one call`() async throws {
    let files = Files()
    try await files.apply((0..<5000).map { File(id: $0, size: 1) }, section: { $0.id % 10 })
    let calls = CallCounter()
    let sum = files.total(
      .sum { file in
        calls.count()
        return file.size
      })
    #expect(await sum.value == 5000)
    #expect(calls.value == 5000)
    try await files.setModel(File(id: 4711, size: 3))
    #expect(await sum.value == 5002)
    #expect(calls.value == 5001)
    try await files.update { $0.deleteItems([3, 5, 8]) }
    #expect(await sum.value == 4999)
    #expect(calls.value == 5001)
  }

  @Test("The sums of sections that are gone are forgotten") func forgotten() async throws {
    let base = Notes()
    let census = PayloadCensus()
    let derived = base.derived { query in
      query.sectionModels(.sum(of: { _ in Counted(value: 1, payload: Payload(census)) })) {
        "\($0) \($1) \($2.value)"
      }
    }
    for round in 0..<20 {
      try await base.apply(
        (0..<4).map { Note(id: $0, folder: Folder(4 * round + $0)) }, section: \.folder)
      #expect(await derived.snapshot.numberOfSections == 4)
      #expect(census.population <= 4)
    }
    try await base.updateOrder { $0.deleteAllItems() }
    #expect(await derived.snapshot.numberOfSections == 0)
    #expect(census.population == 0)
  }
}
