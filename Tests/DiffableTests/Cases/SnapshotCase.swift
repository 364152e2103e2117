import Diffable
import DiffableTesting

/// A row of the tables, by its kind.
enum AnyCase: Decodable, Sendable {
  case snapshot(SnapshotCase)
  case outline(OutlineCase)

  private enum Key: String, CodingKey { case kind }

  init(from decoder: any Decoder) throws {
    let kind = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .kind)
    switch kind {
    case "snapshot", "userMove": self = .snapshot(try SnapshotCase(from: decoder))
    case "sectionSnapshot", "treeSnapshot": self = .outline(try OutlineCase(from: decoder))
    default: throw UnknownCaseWord(word: [.text(kind)])
    }
  }
}

/// A table row for a snapshot: edits, and what comes of them.
struct SnapshotCase: Decodable, Sendable {
  let name: String
  let start: [SectionCase]
  let ops: [[CaseValue]]
  let expected: [SectionCase]?
  /// The peer raises this error.
  let error: String?
  /// A stricter reading of the same input raises this error.
  let strictError: String?
  /// What Apple's rule makes of an item that is appended a second time.
  let moveExistingResult: CaseResult?
  let expectedReloadedItems: [String]?
  let expectedReconfiguredItems: [String]?
  let expectedReloadedSections: [String]?
  let queries: [Query]?

  struct Query: Decodable, Sendable {
    let query: [CaseValue]
    let result: CaseValue
  }

  var startSnapshot: Snapshot<String, String> { Snapshot(start) }
}

/// Either sections, or a remark that there is an error instead.
enum CaseResult: Decodable, Sendable {
  case sections([SectionCase])
  case remark(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let remark = try? container.decode(String.self) {
      self = .remark(remark)
    } else {
      self = .sections(try container.decode([SectionCase].self))
    }
  }
}

/// An argument or a result, as JSON has it.
enum CaseValue: Decodable, Hashable, Sendable {
  case null
  case truth(Bool)
  case number(Int)
  case text(String)
  case list([CaseValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let truth = try? container.decode(Bool.self) {
      self = .truth(truth)
    } else if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try container.decode([CaseValue].self))
    }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var number: Int? {
    if case .number(let number) = self { number } else { nil }
  }

  var list: [CaseValue]? {
    if case .list(let list) = self { list } else { nil }
  }

  var texts: [String]? { list?.compactMap(\.text) }

  /// A path as `[section, item]`.
  var path: ItemPath? {
    guard let numbers = list?.compactMap(\.number), numbers.count == 2 else { return nil }
    return ItemPath(section: numbers[0], item: numbers[1])
  }

  init(_ number: Int?) { self = number.map(CaseValue.number) ?? .null }
  init(_ text: String?) { self = text.map(CaseValue.text) ?? .null }
  init(_ texts: [String]) { self = .list(texts.map(CaseValue.text)) }
  init(_ path: ItemPath?) {
    self = path.map { .list([.number($0.section), .number($0.item)]) } ?? .null
  }
}

/// A case says something that the loader does not know.
struct UnknownCaseWord: Error {
  let word: [CaseValue]
}

extension SnapshotEdit<String, String> {
  /// Reads an operation of a case.
  init(_ operation: [CaseValue], in snapshot: Snapshot<String, String>) throws {
    let first = operation.dropFirst().first ?? .null
    let second = operation.dropFirst(2).first ?? .null
    switch (operation.first?.text, first.texts, first.text, second.text) {
    case ("appendSections", let new?, _, _): self = .appendSections(new)
    case ("insertSectionsBefore", let new?, _, let anchor?):
      self = .insertSectionsBefore(new, anchor)
    case ("insertSectionsAfter", let new?, _, let anchor?):
      self = .insertSectionsAfter(new, anchor)
    case ("deleteSections", let gone?, _, _): self = .deleteSections(gone)
    case ("moveSectionBefore", _, let section?, let anchor?):
      self = .moveSectionBefore(section, anchor)
    case ("moveSectionAfter", _, let section?, let anchor?):
      self = .moveSectionAfter(section, anchor)
    case ("reloadSections", let sections?, _, _): self = .reloadSections(sections)
    case ("appendItems", let new?, _, let section): self = .appendItems(new, section)
    case ("insertItemsBefore", let new?, _, let anchor?): self = .insertItemsBefore(new, anchor)
    case ("insertItemsAfter", let new?, _, let anchor?): self = .insertItemsAfter(new, anchor)
    case ("replaceItems", _, let section?, _):
      self = .replaceItems(section, second.texts ?? [])
    case ("deleteItems", let gone?, _, _): self = .deleteItems(gone)
    case ("deleteAllItems", _, _, _): self = .deleteAllItems
    case ("moveItemBefore", _, let item?, let anchor?): self = .moveItemBefore(item, anchor)
    case ("moveItemAfter", _, let item?, let anchor?): self = .moveItemAfter(item, anchor)
    case ("reloadItems", let items?, _, _): self = .reloadItems(items)
    case ("reconfigureItems", let items?, _, _): self = .reconfigureItems(items)
    case ("userMoveItem", _, _, _):
      // A row dragged past the last one of its section: a move behind that.
      guard let from = first.path, let to = second.path,
        let item = snapshot.itemIdentifier(for: from),
        let section = snapshot.sectionIdentifier(at: to.section),
        let last = snapshot.itemIdentifiers(inSection: section).last,
        to.item >= snapshot.numberOfItems(inSection: section)
      else { throw UnknownCaseWord(word: operation) }
      self = .moveItemAfter(item, last)
    default: throw UnknownCaseWord(word: operation)
    }
  }
}

extension Snapshot<String, String> {
  /// Answers a question of a case.
  func answer(_ query: [CaseValue]) throws -> CaseValue {
    let name = query.dropFirst().first?.text ?? ""
    switch query.first?.text {
    case "numberOfItems": return CaseValue(numberOfItems)
    case "numberOfSections": return CaseValue(numberOfSections)
    case "itemIdentifiers": return CaseValue(itemIdentifiers)
    case "sectionIdentifiers": return CaseValue(sectionIdentifiers)
    case "numberOfItemsInSection": return CaseValue(numberOfItems(inSection: name))
    case "itemIdentifiersInSection": return CaseValue(itemIdentifiers(inSection: name))
    case "sectionIdentifierContainingItem":
      return CaseValue(sectionIdentifier(containingItem: name))
    case "indexOfItem": return CaseValue(indexOfItem(name))
    case "indexOfSection": return CaseValue(indexOfSection(name))
    case "indexPathForItem": return CaseValue(itemPath(for: name))
    case "itemIdentifierForIndexPath":
      guard let path = CaseValue.list(Array(query.dropFirst())).path else { break }
      return CaseValue(itemIdentifier(for: path))
    default: break
    }
    throw UnknownCaseWord(word: query)
  }
}
