import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

/// A query that can be worked out from scratch, with arrays only.
struct QueryScript: Sendable, CustomStringConvertible {
  /// An operation on a list of notes in folders.
  enum Operation: Sendable, Hashable {
    case filter(mostly: Int)
    case sort(by: Field, ascending: Bool)
    case group(by: Field, ascending: Bool)
    /// By the default order of a value.
    case sortByValue(Field, reverse: Bool)
    case groupByValue(Field, reverse: Bool)
    /// Into groups that are always there.
    case groupAlways(by: Field)
    case window(Range<Int>)
    case suffix(Int)
    case distinct(by: Field)
    /// With scores that many rows share, and that some do not have.
    case rank(by: Field, first: Int?)
    case omitEmptySections
    case keepEmptySections
    /// Shows other texts.
    case map(by: Int)
    /// Gives sections models.
    case count
    case sum
    case sortSections(by: Measure, reverse: Bool)
    case filterSections(Measure, mostly: Int)
    /// Perhaps with a model that says how many rows are left out.
    case shorten(Int, says: Bool)
    /// With children that are loaded on demand, or all at once.
    case outline(Relation, isExpanded: Bool, loads: Bool)
    /// `nil` keeps everything.
    case search(mostly: Int?, keepsUnloaded: Bool)
    /// Shows other texts, by the number of descendants and a sum over them.
    case totals
    /// Leaves out what has expired.
    case expire
  }

  /// What names a note as the parent of another.
  enum Relation: Int {
    /// Parents have smaller identifiers.
    case descent
    /// Rows may name each other in a circle.
    case any
  }

  enum Field: Int, CaseIterable { case folder, title, text }

  /// What the notes of a folder come to.
  enum Measure: Int, CaseIterable {
    case count, sum
    /// Of the titles that are not 0.
    case least
    /// It depends on the order of the notes.
    case words
  }

  typealias Query = ListQuery<ModelBatch<Folder, Note>, ModelBatch<Folder, Note>>

  var operations: [Operation]

  var description: String { "\(operations)" }

  /// What a list shows.
  struct Plain: Equatable {
    var sections: [Section]

    struct Section: Equatable {
      var folder: Folder
      var header: String?
      /// Those that are shown.
      var notes: [Note]
      var tree: Outline<Int>?
      /// Those that the tree hides.
      var hidden: [Int: Note] = [:]
    }
  }

  /// Makes a query of some random operations.
  static func random(_ random: inout SplitMix64) -> QueryScript {
    let fields = Field.allCases
    func field(_ random: inout SplitMix64) -> Field { random.element(of: fields) ?? .title }
    func measure(_ random: inout SplitMix64) -> Measure {
      random.element(of: Measure.allCases) ?? .count
    }
    func search(_ random: inout SplitMix64) -> Operation {
      .search(
        mostly: random.chance(oneIn: 6) ? nil : random.number(below: 4),
        keepsUnloaded: random.chance(oneIn: 3))
    }
    func outline(_ random: inout SplitMix64) -> Operation {
      .outline(
        random.chance(oneIn: 3) ? .any : .descent, isExpanded: random.chance(oneIn: 2),
        loads: random.chance(oneIn: 2))
    }
    var operations = (0..<random.number(below: 6)).map { _ -> Operation in
      switch random.number(below: 34) {
      case 0, 1: .filter(mostly: random.number(below: 4))
      case 2, 3: .sort(by: field(&random), ascending: random.chance(oneIn: 2))
      case 4, 5: .group(by: field(&random), ascending: random.chance(oneIn: 2))
      case 6, 7, 8:
        {
          let start = random.number(below: 6)
          return .window(start..<start + random.number(below: 12))
        }()
      case 9: .omitEmptySections
      case 16: .suffix(random.number(below: 14))
      case 17: .distinct(by: field(&random))
      case 18: .keepEmptySections
      case 19: .sortByValue(field(&random), reverse: random.chance(oneIn: 2))
      case 24, 25: .totals
      case 21, 22, 23: search(&random)
      case 26: .groupAlways(by: field(&random))
      case 27, 28: .sortSections(by: measure(&random), reverse: random.chance(oneIn: 2))
      case 29: .filterSections(measure(&random), mostly: random.number(below: 4))
      case 30, 31: .shorten(random.number(below: 5), says: random.chance(oneIn: 2))
      case 32, 33:
        .rank(
          by: field(&random), first: random.chance(oneIn: 2) ? nil : random.number(below: 6))
      case 20: .groupByValue(field(&random), reverse: random.chance(oneIn: 2))
      case 10, 11: .map(by: random.number(below: 3))
      case 12: .count
      case 13: .sum
      case 14: .expire
      default: outline(&random)
      }
    }
    // Two that rarely meet by chance.
    if random.chance(oneIn: 5) { operations += [outline(&random), search(&random)] }
    return QueryScript(operations: operations)
  }

  /// The groups that are always there, in an order of their own.
  static let fixedFolders: [Folder] = [2, 0, 7, 1]

  /// When a note expires.
  static func deadline(_ note: Note) -> ManualClock.Instant? {
    guard note.title > 0 else { return nil }
    return ManualClock.Instant(offset: .seconds(4 * note.title + note.text))
  }

  static func parent(of note: Note, _ relation: Relation) -> Int? {
    guard note.title > 0 else { return nil }
    return switch relation {
    case .descent: note.id / (note.title + 1)
    case .any: (note.id * note.title + note.text) % 17
    }
  }

  static func totalled(_ note: Note, _ count: Int, _ sum: Int) -> Note {
    var note = note
    note.text = (note.text + 5 * count + 7 * sum) % 64
    return note
  }

  static func keeps(_ measure: Int, _ mostly: Int) -> Bool { measure % 4 != mostly }

  static func header(_ folder: Folder, _ header: String?, more: Int) -> String? {
    more == 0 ? header : "\(header ?? "\(folder)") and \(more) more"
  }

  /// What is not a number leaves a note out, as no score does.
  static func score(_ note: Note, _ field: Field) -> Double? {
    switch (note.id + value(note, field)) % 5 {
    case 0: nil
    case 1: .nan
    default: Double(value(note, field) % 3)
    }
  }

  static func keeps(_ note: Note, _ mostly: Int) -> Bool { (note.id + note.text) % 4 != mostly }

  static func value(_ note: Note, _ field: Field) -> Int {
    switch field {
    case .folder: note.folder.number
    case .title: note.title
    case .text: note.text
    }
  }
}

extension QueryScript.Operation {
  /// What it is called: as other operations are that do something else.
  fileprivate var name: Int {
    switch self {
    case .filter(let number), .map(let number): number
    case .sort(let field, let ascending), .group(let field, let ascending):
      field.rawValue + (ascending ? 3 : 0)
    // The direction is part of what they are called.
    case .sortByValue(let field, _), .groupByValue(let field, _), .distinct(let field),
      .groupAlways(let field):
      field.rawValue
    case .sortSections(let measure, _): measure.rawValue
    case .filterSections(let measure, let mostly): 4 * measure.rawValue + mostly
    case .window, .suffix, .omitEmptySections, .keepEmptySections, .count, .expire, .shorten: 0
    // How many rows are kept is part of what it is called.
    case .rank(let field, _): field.rawValue
    case .sum, .totals: 1
    case .outline(let relation, _, _): relation.rawValue
    case .search(let mostly, _): mostly ?? 9
    }
  }
}

/// The same, by a derived source.
extension QueryScript {
  /// - Parameter isDeclared: Whether operations say what they are.
  func query(_ start: Query, isDeclared: Bool, clock: ManualClock = ManualClock()) -> Query {
    operations.reduce(start) { query, operation in
      let id = isDeclared ? operation.name : nil
      return switch operation {
      case .filter(let mostly): query.filter(id: id) { Self.keeps($0, mostly) }
      case .sort(let field, let ascending):
        query.sorted(id: id) { left, right in
          let (left, right) = (Self.value(left, field), Self.value(right, field))
          return ascending ? left < right : left > right
        }
      case .group(let field, let ascending):
        query.grouped(id: id, by: { Folder(Self.value($0, field)) }) { left, right in
          ascending ? left.number < right.number : left.number > right.number
        }
      case .sortByValue(let field, let reverse):
        query.sorted(id: id, by: { Self.value($0, field) }, reverse: reverse)
      case .groupByValue(let field, let reverse):
        query.grouped(id: id, by: { Folder(Self.value($0, field)) }, reverse: reverse)
      case .groupAlways(let field):
        query.grouped(id: id, by: { Folder(Self.value($0, field)) }, sections: Self.fixedFolders)
      case .window(let range): query.window(range)
      case .suffix(let count): query.suffix(count)
      case .distinct(let field): query.distinct(id: id) { Self.value($0, field) }
      case .omitEmptySections: query.omittingEmptySections()
      case .keepEmptySections: query.keepingEmptySections()
      case .rank(let field, let limit):
        query.ranked(id: id, first: limit) { note in
          Self.score(note, field).map { SearchMatch(score: $0) }
        }.map(id: id) { $0.element }
      case .map(let number):
        query.map(id: id) { note in
          var note = note
          note.text = (note.text + number) % 3
          return note
        }
      case .count: query.sectionModels(id: id) { "\($0): \($1)" }
      case .sum: query.sectionModels(id: id, .sum(of: { $0.text })) { "\($0): \($1) of \($2)" }
      case .sortSections(let measure, let reverse):
        switch measure {
        case .least: query.sectionsSorted(id: id, by: Measure.least(), reverse: reverse)
        default: query.sectionsSorted(id: id, by: measure.aggregate, reverse: reverse)
        }
      case .filterSections(let measure, let mostly):
        query.filterSections(id: id, measure.aggregate) { Self.keeps($0, mostly) }
      case .shorten(let count, says: false): query.prefix(ofEachSection: count)
      case .shorten(let count, says: true):
        query.prefix(id: id, ofEachSection: count) { Self.header($0, $1, more: $2) }
      case .expire: query.expiring(id: id, clock: clock, at: Self.deadline)
      case .totals:
        query.aggregatingDescendants(id: id, .sum(of: { $0.text + 1 })) { note, count, sum in
          Self.totalled(note, count, sum)
        }
      case .search(let mostly, let keepsUnloaded):
        query.searched(if: mostly != nil, keepsUnloaded: keepsUnloaded) {
          !Self.keeps($0, mostly ?? 0)
        }
      case .outline(let relation, let isExpanded, loads: false):
        query.outlined(id: id, by: { Self.parent(of: $0, relation) }, isExpanded: isExpanded)
      case .outline(let relation, let isExpanded, loads: true):
        query.outlined(
          id: id, by: { Self.parent(of: $0, relation) }, isExpanded: isExpanded,
          unloaded: { $0.text == 2 }, load: { _ in })
      }
    }
  }
}

extension QueryScript {
  /// Whether it shows what it finds in trees.
  var isSearch: Bool {
    operations.contains { if case .search(mostly: .some, _) = $0 { true } else { false } }
  }
}
