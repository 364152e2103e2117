import DiffableTesting
import Testing

@testable import Diffable

/// A query that can be worked out from scratch, with arrays only.
struct QueryScript: Sendable, CustomStringConvertible {
  /// An operation on a list of notes in folders.
  enum Operation: Sendable, Hashable {
    case filter(mostly: Int)
    case sort(by: Field, ascending: Bool)
    case group(by: Field, ascending: Bool)
    case window(Range<Int>)
    case omitEmptySections
    /// Shows other texts.
    case map(by: Int)
    /// Gives sections models.
    case count
    case sum
  }

  enum Field: Int, CaseIterable { case folder, title, text }

  typealias Query = ListQuery<ModelBatch<Folder, Note>, ModelBatch<Folder, Note>>

  var operations: [Operation]

  var description: String { "\(operations)" }

  /// What a list shows.
  struct Plain: Equatable {
    var sections: [Section]

    struct Section: Equatable {
      var folder: Folder
      var header: String?
      var notes: [Note]
    }
  }

  /// Makes a query of some random operations.
  static func random(_ random: inout SplitMix64) -> QueryScript {
    let fields = Field.allCases
    func field(_ random: inout SplitMix64) -> Field {
      random.element(of: fields) ?? .title
    }
    let operations = (0..<random.number(below: 5)).map { _ -> Operation in
      switch random.number(below: 10) {
      case 0, 1: .filter(mostly: random.number(below: 4))
      case 2, 3: .sort(by: field(&random), ascending: random.chance(oneIn: 2))
      case 4, 5: .group(by: field(&random), ascending: random.chance(oneIn: 2))
      case 6:
        {
          let start = random.number(below: 6)
          return .window(start..<start + random.number(below: 12))
        }()
      case 7: .omitEmptySections
      case 8: .map(by: random.number(below: 3))
      default: random.chance(oneIn: 2) ? .count : .sum
      }
    }
    return QueryScript(operations: operations)
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
    case .window, .omitEmptySections, .count: 0
    case .sum: 1
    }
  }
}

/// The same, by a derived source.
extension QueryScript {
  /// - Parameter isDeclared: Whether operations say what they are.
  func query(_ start: Query, isDeclared: Bool) -> Query {
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
      case .window(let range): query.window(range)
      case .omitEmptySections: query.omittingEmptySections()
      case .map(let number):
        query.map(id: id) { note in
          var note = note
          note.text = (note.text + number) % 3
          return note
        }
      case .count: query.sectionModels(id: id) { "\($0): \($1)" }
      case .sum:
        query.sectionModels(id: id, summing: { $0.text }) { "\($0): \($1) of \($2)" }
      }
    }
  }
}

/// From scratch.
extension QueryScript {
  func evaluate(_ list: Plain) -> Plain {
    var list = list
    var order: [(Note, Note) -> Bool] = []
    var omitsEmptySections = false
    func before(_ left: Note, _ right: Note) -> Bool {
      for before in order {
        if before(left, right) { return true }
        if before(right, left) { return false }
      }
      return false
    }
    for operation in operations {
      switch operation {
      case .filter(let mostly):
        for index in list.sections.indices {
          list.sections[index].notes.removeAll { !Self.keeps($0, mostly) }
        }
      case .sort(let field, let ascending):
        order.insert(
          {
            let (left, right) = (Self.value($0, field), Self.value($1, field))
            return ascending ? left < right : left > right
          }, at: 0)
        for index in list.sections.indices { list.sections[index].notes.sort(by: before) }
      case .group(let field, let ascending):
        var notes = list.sections.flatMap(\.notes)
        notes.sort(by: before)
        let folders = Set(notes.map { Self.value($0, field) })
        list.sections = folders.sorted { ascending ? $0 < $1 : $0 > $1 }.map { folder in
          Plain.Section(
            folder: Folder(folder), header: nil,
            notes: notes.filter { Self.value($0, field) == folder })
        }
        omitsEmptySections = true
      case .window(let range):
        var start = 0
        for index in list.sections.indices {
          let count = list.sections[index].notes.count
          let kept = list.sections[index].notes.enumerated().filter {
            range.contains(start + $0.offset)
          }
          list.sections[index].notes = kept.map(\.element)
          start += count
        }
        omitsEmptySections = true
      case .omitEmptySections:
        omitsEmptySections = true
      case .map(let number):
        for index in list.sections.indices {
          for row in list.sections[index].notes.indices {
            let text = list.sections[index].notes[row].text
            list.sections[index].notes[row].text = (text + number) % 3
          }
        }
        order = []
      case .count:
        for index in list.sections.indices {
          let section = list.sections[index]
          list.sections[index].header = "\(section.folder): \(section.notes.count)"
        }
      case .sum:
        for index in list.sections.indices {
          let section = list.sections[index]
          let sum = section.notes.reduce(0) { $0 + $1.text }
          list.sections[index].header = "\(section.folder): \(section.notes.count) of \(sum)"
        }
      }
      if omitsEmptySections { list.sections.removeAll { $0.notes.isEmpty } }
    }
    return list
  }
}

extension QueryScript.Plain {
  /// What a state of a source shows.
  init(_ snapshot: Snapshot<Folder, Int>) {
    sections = snapshot.sectionIdentifiers.map { folder in
      Section(
        folder: folder, header: snapshot.sectionModel(of: folder),
        notes: snapshot.itemIdentifiers(inSection: folder).map { item in
          snapshot.model(of: item, as: Note.self) ?? Note(id: -1)
        })
    }
  }
}

/// The laws of a batch that a derived source hands out.
func checkMinimal(_ batch: ModelBatch<Folder, Note>, _ comment: Comment) {
  // The law of moves knows no names.
  guard let previous = batch.previousSnapshot, batch.difference.itemRenames.isEmpty else { return }
  var structure = batch.difference
  (structure.itemReconfigures, structure.itemReloads) = (ItemPathSet(), ItemPathSet())
  // The law knows no models, but rows that are folded otherwise.
  let map = PositionMap(batch.difference)
  structure.itemReconfigures = ItemPathSet(
    batch.snapshot.itemIdentifiers.compactMap { item in
      guard let path = batch.snapshot.itemPath(for: item), map.oldPath(forNew: path) != nil,
        previous.disclosure(of: item) ?? Disclosure()
          != batch.snapshot.disclosure(of: item) ?? Disclosure()
      else { return nil }
      return path
    })
  (structure.sectionReconfigures, structure.sectionReloads) = (RangeSet(), RangeSet())
  let violations = DifferenceLaw.violations(of: structure, from: previous, to: batch.snapshot)
    .filter { [.replay, .inverse, .minimality].contains($0.law) }
  #expect(violations.isEmpty, comment)
}

/// Someone who follows a derived source of notes.
struct NoteFollower {
  typealias Derived = DerivedSource<ModelBatch<Folder, Note>, ModelBatch<Folder, Note>>

  private var batches: AsyncStream<ModelBatch<Folder, Note>>.Iterator
  private(set) var keeper = Keeper()

  init(_ source: Derived, _ policy: UpdatePolicy = .coalesced) {
    batches = source.updates(policy).makeAsyncIterator()
  }

  /// Takes batches until the newest state is there.
  ///
  /// Who shows that already would wait for ever.
  mutating func follow(
    _ source: Derived, _ comment: Comment,
    _ check: (ModelBatch<Folder, Note>) -> Void = { _ in }
  ) async throws {
    while await source.revision != keeper.revision {
      let batch = try #require(await batches.next(), comment)
      checkMinimal(batch, comment)
      check(batch)
      let follows = keeper.take(batch)
      #expect(follows, comment)
    }
  }
}
