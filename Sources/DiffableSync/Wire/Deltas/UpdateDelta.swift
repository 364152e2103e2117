public import Diffable

/// What a follower in another process needs to go from one state to the next.
///
/// An `UpdateBatch` holds both states. A delta holds the tokens of both, the difference, and the
/// identifiers of what is inserted. So its size depends on the change, not on the list. A delta
/// without a ``ListDelta/base`` is a *reset* and holds the whole state.
///
/// ```swift
/// for await batch in source.updates() {
///   send(try JSONEncoder().encode(UpdateDelta(batch)))
/// }
/// ```
///
/// A ``MirrorSource`` takes deltas at the other end. <doc:DeltaFormat> describes the JSON text
/// field by field, for followers in other languages.
public struct UpdateDelta<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: ListDelta,
  Equatable
{
  let frame: DeltaFrame
  /// The inserted sections, in the order of ``SnapshotDifference/sectionInserts``; in a reset, all.
  let sections: [Section]
  /// The items inserted in sections that stay, in the order of ``SnapshotDifference/itemInserts``.
  let items: [ItemID]
  /// How the outlines of ``SnapshotDifference/outlineChanges`` have changed, in that order.
  let outlines: [OutlineDelta<ItemID>]
  /// The items with new identifiers, including those of ``SnapshotDifference/itemRenames``.
  let renamedItems: [ItemRename<ItemID>]
  /// What writers have placed; a follower needs it only to merge its own changes.
  let placed: PlacedRows<SectionID, ItemID>
  let droppedItems: [ItemID]
  let droppedSections: [SectionID]

  typealias Rows = Snapshot<SectionID, ItemID>.Rows

  struct Section: Sendable, Equatable {
    let id: SectionID
    let rows: Rows
  }
}

extension UpdateDelta {
  /// How the writer wants the change to be shown.
  public var presentation: Presentation { frame.presentation }
  /// What changed, in positions; empty in a reset.
  public var difference: SnapshotDifference { frame.difference }
}

extension UpdateDelta {
  /// The delta itself.
  public var update: Self { self }
  /// No models.
  public var _content: _DeltaContent<SectionID, ItemID> { DeltaContent() }

  /// The number of elements that the delta names.
  var namedCount: Int {
    var count = difference.namedCount + items.count + renamedItems.count
    count += placed.count + droppedItems.count + droppedSections.count + frame.accepted.count
    for section in sections { count += 1 + section.rows.count }
    for outline in outlines { count += 1 + outline.elementCount }
    return count
  }

  /// Makes the delta of a batch.
  ///
  /// A batch whose difference was changed by hand and does not fit its snapshots becomes a reset.
  ///
  /// - Complexity: O(c · log n) for c changes among n items, including the items of new sections;
  ///   O(n) for a reset.
  public init(_ batch: UpdateBatch<SectionID, ItemID>) {
    var frame = batch.step.read { $0.pointee.frame }
    frame.accepted = batch.proposals
    let new = batch.snapshot
    var sections: [Section] = []
    if frame.base == nil {
      sections = (0..<new.numberOfSections).compactMap { Section(at: $0, of: new) }
    } else if !frame.difference.sectionInserts.isEmpty {
      sections = frame.difference.sectionInserts.ranges.joined()
        .compactMap { Section(at: $0, of: new) }
    }
    var items: [ItemID] = []
    items.reserveCapacity(frame.difference.itemInserts.count)
    for range in frame.difference.itemInserts.ranges {
      let list = new.items(inSectionAt: range.section)
      for index in range.items { items.append(list[index]) }
    }
    var (outlines, renamedItems) = ([OutlineDelta<ItemID>](), batch.renamedItems)
    // Most changes have neither.
    if !frame.difference.outlineChanges.isEmpty || !frame.difference.itemRenames.isEmpty {
      let positions = PositionMap(frame.difference)
      outlines = frame.difference.outlineChanges.ranges.joined().map { index in
        OutlineDelta(
          from: positions.oldSection(forNew: index).flatMap {
            batch.previousSnapshot?.outline(ofSectionAt: $0)
          },
          to: new.outline(ofSectionAt: index))
      }
      renamedItems += batch.renames(by: positions)
    }
    self.init(
      frame: frame, sections: sections, items: items, outlines: outlines,
      renamedItems: renamedItems, placed: batch.placed, droppedItems: batch.droppedItems,
      droppedSections: batch.droppedSections)
  }
}

extension UpdateBatch {
  /// The renames that the difference shows and that no writer has reported.
  fileprivate func renames(by positions: PositionMap) -> [ItemRename<ItemID>] {
    let known = IdentifierSet(renamedItems.lazy.map(\.old))
    return difference.itemRenames.compactMap { path in
      guard let new = snapshot.itemIdentifier(for: path),
        let origin = positions.oldPath(forNew: path),
        let old = previousSnapshot?.itemIdentifier(for: origin), !known.contains(old)
      else { return nil }
      return ItemRename(old: old, new: new)
    }
  }
}

extension UpdateDelta.Section {
  init?(at index: Int, of snapshot: Snapshot<SectionID, ItemID>) {
    guard let id = snapshot.sectionIdentifier(at: index) else { return nil }
    self.id = id
    rows =
      snapshot.outline(ofSectionAt: index).map { .outline($0) }
      ?? .list(Array(snapshot.items(inSectionAt: index)))
  }
}

extension Snapshot.Rows {
  /// The number of all items.
  var count: Int {
    switch self {
    case .list(let items): items.count
    case .outline(let outline): outline.count
    }
  }

  /// All items, including those that a collapsed row hides.
  var items: [ItemID] {
    switch self {
    case .list(let items): items
    case .outline(let outline): outline.items
    }
  }

  /// The number of items that no collapsed row hides.
  var visibleCount: Int {
    switch self {
    case .list(let items): items.count
    case .outline(let outline): outline.visibleItems.count
    }
  }
}

/// What a delta says without naming an element: the states that it joins, and what changes in positions.
///
/// It has no type parameters, so the code for it is compiled once.
struct DeltaFrame: Sendable, Equatable {
  /// The name of a proposal; `nil` in a delta.
  var proposal: _ProposalFrame?
  /// As ``UpdateDelta/base``.
  let base: ResumeToken?
  /// Empty in a proposal, which cannot know what state it leads to.
  let target: ResumeToken
  let presentation: Presentation
  let difference: SnapshotDifference
  /// How many sections and visible items there are afterwards; `nil` in a proposal.
  let counts: Counts?
  /// As `UpdateBatch.proposals`.
  var accepted: [WriteID] = []

  struct Counts: Sendable, Equatable, Decodable {
    enum CodingKeys: String, CodingKey {
      case sections
      case items
    }

    let sections: Int
    let items: Int
  }
}

/// What makes a delta a proposal.
///
/// Public, since `_proposed` is a requirement of a public protocol; only this package uses it.
public struct _ProposalFrame: Sendable, Equatable {
  let id: WriteID
  /// The name of the change, for undo.
  let name: String?
  let base: ResumeToken
  /// Whether the proposal takes back another change.
  let isUndo: Bool
  /// The name of that proposal, which its writer remembers; the owner need not know it.
  var reverses: WriteID?
}

extension BatchStep {
  /// The frame of the batch; that of a reset if the difference does not fit the states.
  ///
  /// Not an initializer of the frame, which would take a copy of all that is here.
  var frame: DeltaFrame {
    let isReset = base == nil || !fits
    return DeltaFrame(
      base: isReset ? nil : baseToken, target: targetToken, presentation: presentation,
      difference: isReset ? SnapshotDifference() : difference,
      counts: .init(sections: snapshot.order.count, items: snapshot.itemCount))
  }
}

extension SnapshotDifference {
  /// The number of ranges and moves.
  var namedCount: Int {
    var count = sectionMoves.count + itemMoves.count
    count += itemDeletes.ranges.count + itemInserts.ranges.count + itemRenames.ranges.count
    count += itemReloads.ranges.count + itemReconfigures.ranges.count
    count += sectionDeletes.ranges.count + sectionInserts.ranges.count + outlineChanges.ranges.count
    return count + sectionReloads.ranges.count + sectionReconfigures.ranges.count
  }
}
