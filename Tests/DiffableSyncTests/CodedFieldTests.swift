import Foundation
import ListSupport
import Testing

@testable import Diffable
@testable import DiffableEngine
@testable import DiffableSync

/// Every stored property of what can be written is read again.
///
/// A property that is added fails here until a sample sets it, and then until it is written and read.
@Suite struct CodedFieldTests {
  private typealias Batch = UpdateBatch<String, Int>
  private typealias List = Snapshot<String, Int>

  /// Checks that each property differs from that of an empty value in one of the samples, and that it is
  /// read as it was written in all of them.
  private func check<Value: Codable>(
    _ samples: [Value], empty: Value, except derived: Set<String> = [],
    _ sent: (Value) throws -> Value = {
      try JSONDecoder().decode([Value].self, from: JSONEncoder().encode([$0]))[0]
    },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let nothing = fields(of: empty)
    var set: Set<String> = []
    var all = Set(nothing.keys)
    for sample in samples {
      let (written, read) = (fields(of: sample), fields(of: try sent(sample)))
      all.formUnion(written.keys)
      for (field, value) in written where !derived.contains(field) {
        if nothing[field] != value { set.insert(field) }
        #expect(
          read[field] == value, "\(Value.self).\(field) is lost", sourceLocation: sourceLocation)
      }
      #expect(Set(written.keys) == Set(read.keys), sourceLocation: sourceLocation)
    }
    let unset = all.subtracting(derived).subtracting(set).sorted()
    #expect(
      unset.isEmpty, "no sample of \(Value.self) sets \(unset)", sourceLocation: sourceLocation)
  }

  /// The stored properties of a value, as text; those of a box or a frame one by one.
  private func fields(of value: Any, in path: String = "") -> [String: String] {
    var fields: [String: String] = [:]
    for child in Mirror(reflecting: value).children {
      let name = path + (child.label ?? "")
      let isParted = ["step", "notes", "frame", "counts", "flags"].contains(child.label)
      if isParted, let part = unwrapped(child.value) {
        fields.merge(self.fields(of: part, in: name + ".")) { $1 }
      } else {
        fields[name] = text(child.value)
      }
    }
    return fields
  }

  private func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
  }

  private func text(_ value: Any) -> String {
    switch value {
    case let list as List: return text(of: list)
    case let base as UntypedSnapshot: return text(of: List(base))
    case let outline as Outline<Int>: return "\(outline)"
    case let placed as PlacedRows<String, Int>:
      return "\(placed.sections.inOrder) \(placed.items.inOrder)"
    case let content as SectionContent: return "\(content.model ?? "none")"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .set: return "\(mirror.children.map { text($0.value) }.sorted())"
    case .optional where mirror.children.isEmpty: return "nil"
    case _ where mirror.children.isEmpty: return "\(value)"
    default: return "\(mirror.children.map { "\($0.label ?? "") \(text($0.value))" })"
    }
  }

  private func text(of list: List) -> String {
    let outlines = list.sectionIdentifiers.map { list.outline(ofSection: $0).map { "\($0)" } ?? "" }
    return """
      \(list) \(outlines) \(list.reloadedItemIdentifiers) \(list.reconfiguredItemIdentifiers) \
      \(list.reloadedSectionIdentifiers) \(list.reconfiguredSectionIdentifiers) \(list.renamedItems) \
      \(list.placedItemIdentifiers) \(list.placedSectionIdentifiers)
      """
  }

  // MARK: Samples

  private let old: List = {
    var list = List()
    list.appendSections(["A", "B"])
    try? list.appendItems([1, 2, 3], toSection: "A")
    return list
  }()

  private func outline() throws -> Outline<Int> {
    var outline = try Outline(Array(5...9), levels: [0, 1, 1, 2, 0], expanding: [5])
    outline.setChildrenUnloaded(of: [9])
    return outline
  }

  private func new() throws -> List {
    var list = old
    list.appendSections(["C", "D"])
    try list.setOutline(outline(), forSection: "D")
    try list.appendItems([4], toSection: "C")
    list.deleteItems([1])
    try list.appendItems([10], toSection: "A")
    try list.renameItem(2, to: 20)
    try list.reconfigureItems([3])
    try list.moveItem(3, beforeItem: 20)
    try list.moveSection("D", beforeSection: "C")
    return list
  }

  private func batch() throws -> Batch {
    var step = try Batch(from: old, to: new(), base: Revision(3), presentation: .immediate).step
    step.value.digests = (HistoryDigest(bits: 5), HistoryDigest(bits: 6))
    var batch = Batch(step.value)
    batch.droppedItems = [4]
    batch.droppedSections = ["C"]
    batch.unconfirmedItems = [3, 20]
    batch.proposals = [WriteID(), WriteID()]
    return batch
  }

  /// A batch with notes, of which all but one are empty.
  private func emptyBatch() throws -> Batch {
    var batch = try Batch(showing: List(), epoch: Epoch(), target: Revision(0))
    batch.unconfirmedItems = [99]
    return batch
  }

  // MARK: Tests

  @Test func `A difference`() throws {
    let (path, indices) = (ItemPath(section: 1, item: 2), RangeSet(3..<5))
    let changes: [(inout SnapshotDifference) -> Void] = [
      { $0.sectionDeletes = indices }, { $0.sectionInserts = indices },
      { $0.sectionMoves = [Move(from: 1, to: 4)] }, { $0.sectionReloads = indices },
      { $0.sectionReconfigures = indices }, { $0.itemDeletes = [path] },
      { $0.itemInserts = [path] },
      { $0.itemMoves = [Move(from: path, to: ItemPath(section: 3, item: 4))] },
      { $0.itemReloads = [path] }, { $0.itemReconfigures = [path] },
      { ($0.itemRenames, $0.itemReconfigures) = ([path], [path]) },
      { $0.outlineChanges = indices },
    ]
    try check(
      changes.map { change in
        var difference = SnapshotDifference()
        change(&difference)
        return difference
      }, empty: SnapshotDifference())
  }

  @Test func `A snapshot with its marks`() throws {
    var list = try new()
    try list.reloadItems([4])
    try list.reloadSections(["A"])
    try list.reconfigureSections(["C"])
    let read = try JSONDecoder().decode(List.self, from: JSONEncoder().encode(list))
    #expect(text(of: read) == text(of: list))
    // A kind of mark that is added must be written, read, and compared above.
    let marks = Mirror(reflecting: list.marks)
    #expect(marks.children.map(\.label) == ["lists", "placed"])
    let first = try #require(marks.children.first)
    let lists = try #require(unwrapped(first.value))
    #expect(Mirror(reflecting: lists).children.map(\.label) == ["sections", "items", "renames"])
    for pair in Mirror(reflecting: lists).children.prefix(2) {
      #expect(Mirror(reflecting: pair.value).children.map(\.label) == ["reloaded", "reconfigured"])
    }
    #expect(Mirror(reflecting: list).children.map(\.label) == ["base", "marks"])
  }

  @Test func `An outline and its rows`() throws {
    typealias Row = OutlineRow<Int>
    try check(
      [Row(id: 3, level: 2, isExpanded: true, hasUnloadedChildren: true)],
      empty: Row(id: 0, level: 0), except: ["flags.isVisible"])
    let outline = try outline()
    let read = try JSONDecoder().decode(Outline<Int>.self, from: JSONEncoder().encode(outline))
    #expect(read == outline && "\(read)" == "\(outline)")
    #expect(Mirror(reflecting: outline).children.map(\.label) == ["rows", "table", "kernel"])
  }

  @Test func `Deltas`() throws {
    let update = try UpdateDelta(batch())
    let empty = try UpdateDelta(emptyBatch())
    let samples = try [
      update, UpdateDelta(outlineBatch()),
      update._proposed(
        _ProposalFrame(id: WriteID(), name: "Add", base: update.target, isUndo: true),
        seen: GivenContent()),
    ]
    try check(samples, empty: empty)
    // The text that the package writes itself.
    try check(samples, empty: empty, DeltaLawTests.sent)
    let models = ModelDelta<String, CodedRow>(
      update: update, models: [CodedRow(id: 3, text: "three")], sections: [],
      seen: .init(models: [CodedRow(id: 3, text: "two")]))
    let nothing = ModelDelta<String, CodedRow>(update: empty, models: [], sections: [])
    try check([models], empty: nothing, except: ["sections"], DeltaLawTests.sent)
    let headers = try UpdateDelta<CodedHeader, Int>(
      UpdateBatch(showing: Snapshot(), target: Revision(1)))
    try check(
      [
        ModelDelta<CodedHeader, CodedRow>(
          update: headers, models: [],
          sections: [.init(id: CodedHeader(number: 2), content: SectionContent("two"))],
          seen: .init(
            sections: [.init(id: CodedHeader(number: 2), content: SectionContent("one"))]))
      ], empty: ModelDelta(update: headers, models: [], sections: []),
      except: ["update", "models"], DeltaLawTests.sent)
  }

  /// A batch that changes an outline.
  private func outlineBatch() throws -> Batch {
    let old = try new()
    var list = old
    list.collapseItems([5])
    return try Batch(from: old, to: list)
  }

  @Test func `Positions, names and enumerations`() throws {
    try check([ItemPath(section: 3, item: 4)], empty: ItemPath(section: 0, item: 0))
    try check([Move(from: 1, to: 2)], empty: Move(from: 0, to: 0))
    try check([ItemRename(old: 1, new: 2)], empty: ItemRename(old: 0, new: 0))
    let token = ResumeToken(epoch: Epoch(), revision: Revision(7))
    func sent<Value: Codable>(_ values: [Value]) throws -> [Value] {
      try JSONDecoder().decode([Value].self, from: JSONEncoder().encode(values))
    }
    let tokens = [token, ResumeToken(""), ResumeToken("any text")]
    #expect(try sent(tokens) == tokens && token.parts?.place.revision == Revision(7))
    let epochs = [Epoch(), Epoch()]
    #expect(try sent(epochs) == epochs)
    let presentations: [Presentation] = [.immediate, .animated, .reset]
    #expect(try sent(presentations) == presentations)
    #expect(try sent(Contradiction.allCases) == Contradiction.allCases)
  }

  // MARK: The text that the package writes itself

  private static func written(_ body: (inout JSONText) throws -> Void) rethrows -> String {
    var text = JSONText { try Array(JSONEncoder().encode($0)) }
    try body(&text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  @Test("Numbers of every length are JSON text that a decoder of the system reads")
  func numbers() throws {
    var numbers = [0, Int.min, Int.max]
    var power = 1
    while true {
      numbers += [power - 1, power, power + 1, -power]
      let (next, overflows) = power.multipliedReportingOverflow(by: 10)
      if overflows { break }
      power = next
    }
    for number in numbers { #expect(Self.written { $0.write(number) } == "\(number)") }
    #expect(Self.written { $0.array(7, 12) } == "[7,12]")
    #expect(Self.written { $0.array(0, 10, 345) } == "[0,10,345]")
    #expect(
      Self.written { $0.array([[1, 2], []]) { $0.array($1) { $0.write($1) } } } == "[[1,2],[]]")
  }

  @Test("Values of any type, alone and in arrays")
  func values() throws {
    let texts = ["", "plain", "\"\\\n\u{1}", "日本 🦊"]
    let read = try JSONDecoder().decode(
      [String].self, from: Data(try Self.written { try $0.write(texts) }.utf8))
    #expect(read == texts)
    #expect(try Self.written { try $0.write([3, -4]) } == "[3,-4]")
    #expect(try Self.written { try $0.write([UInt8(3)]) } == "[3]")
    #expect(try Self.written { try $0.write([[1], [2]]) } == "[[1],[2]]")
  }
}
