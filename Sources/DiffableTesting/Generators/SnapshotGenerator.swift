public import Diffable

/// Generates snapshots, changes and edit scripts from a seed.
///
/// ```swift
/// var generator = SnapshotGenerator(seed: 7, section: { "s\($0)" }, item: { $0 })
/// let old = generator.snapshot(sections: 4, items: 20)
/// let new = generator.changing(old)
/// ```
public struct SnapshotGenerator<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// The random number generator.
  public var random: SplitMix64
  private let sectionIdentifier: @Sendable (Int) -> SectionID
  private let itemIdentifier: @Sendable (Int) -> ItemID
  private var sectionCount = 0
  private var itemCount = 0

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - seed: The same seed gives the same snapshots.
  ///   - section: Returns the identifier for a number. Different numbers must give different
  ///     identifiers.
  ///   - item: The same for items.
  public init(
    seed: UInt64, section: @escaping @Sendable (Int) -> SectionID,
    item: @escaping @Sendable (Int) -> ItemID
  ) {
    random = SplitMix64(seed: seed)
    sectionIdentifier = section
    itemIdentifier = item
  }

  /// Makes a valid snapshot of new sections and items.
  ///
  /// Items are spread randomly over the sections, so that some sections stay empty.
  ///
  /// - Parameters:
  ///   - sections: How many sections it has; none below 0.
  ///   - items: How many items it has; none without a section.
  /// - Complexity: O(n) expected for n sections and items.
  public mutating func snapshot(sections: Int, items: Int) -> Snapshot<SectionID, ItemID> {
    snapshot(.uneven(sections: sections, items: items))
  }

  /// Makes a valid snapshot.
  ///
  /// Its identifiers are new, except in the shape ``SnapshotShape/anyOf(sections:items:)``.
  package mutating func snapshot(_ shape: SnapshotShape) -> Snapshot<SectionID, ItemID> {
    Snapshot(list(shape))
  }

  private mutating func list(_ shape: SnapshotShape) -> PlainList<SectionID, ItemID> {
    switch shape {
    case .even(let sections, let itemsEach):
      return PlainList(
        sections: newSections(sections).map { .init(id: $0.id, items: newItems(itemsEach)) })
    case .uneven(let sections, let items):
      return spread(newItems(items), over: newSections(sections))
    case .anyOf(let sections, let items):
      sectionCount = max(sectionCount, sections)
      itemCount = max(itemCount, items)
      let some = random.sample(
        random.shuffled((0..<max(0, sections)).map(sectionIdentifier)), oneIn: 2)
      let someItems = random.shuffled((0..<max(0, items)).map(itemIdentifier))
      let taken = Array(someItems.prefix(random.number(below: items + 1)))
      return spread(taken, over: some.map { .init(id: $0, items: []) })
    }
  }
}

extension SnapshotGenerator {
  /// An item that no snapshot of this generator had before.
  package mutating func newItem() -> ItemID {
    itemCount += 1
    return itemIdentifier(itemCount - 1)
  }

  /// A section that no snapshot of this generator had before.
  package mutating func newSection() -> SectionID {
    sectionCount += 1
    return sectionIdentifier(sectionCount - 1)
  }

  mutating func newItems(_ count: Int) -> [ItemID] {
    (0..<max(0, count)).map { _ in newItem() }
  }

  mutating func newSections(_ count: Int) -> [PlainList<SectionID, ItemID>.Section] {
    (0..<max(0, count)).map { _ in .init(id: newSection(), items: []) }
  }

  /// Appends every item to a randomly chosen section.
  mutating func spread(
    _ items: [ItemID], over sections: [PlainList<SectionID, ItemID>.Section]
  ) -> PlainList<SectionID, ItemID> {
    var list = PlainList(sections: sections)
    guard !sections.isEmpty else { return list }
    for item in items {
      list.sections[random.number(below: sections.count)].items.append(item)
    }
    return list
  }
}

extension Snapshot {
  /// Creates a snapshot of the sections of a list.
  ///
  /// - Parameter other: A snapshot in which some of them are outlines. They remain outlines; the
  ///   list determines their visible items.
  init(_ list: PlainList<SectionID, ItemID>, keepingOutlinesOf other: Snapshot = Snapshot()) {
    self.init()
    appendSections(list.sections.map(\.id))
    for section in list.sections {
      // The section was appended above, so this cannot throw.
      if let outline = other.outline(ofSection: section.id) {
        try? setOutline(outline.shown(as: section.items, in: section.id), forSection: section.id)
      } else if !section.items.isEmpty {
        try? appendItems(section.items, toSection: section.id)
      }
    }
  }
}

extension Outline {
  /// The outline of a section after a flat list has been applied to it.
  fileprivate func shown<SectionID: Hashable & Sendable>(
    as items: [ItemID], in section: SectionID
  ) -> Outline {
    var snapshot = Snapshot<SectionID, ItemID>()
    snapshot.appendSections([section])
    try? snapshot.setOutline(self, forSection: section)
    try? snapshot.replaceItems(inSection: section, with: items)
    return snapshot.outline(ofSection: section) ?? self
  }
}
