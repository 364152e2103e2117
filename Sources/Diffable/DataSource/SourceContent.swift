/// What a source keeps beside the order: something for each identifier, in the same revision.
///
/// Content is state, like the order. So it is a value of which every revision holds its own, and
/// what changed is found between two of them when somebody asks. Copying must cost O(1), and
/// related values should share what they have in common.
protocol SourceContent<SectionID, ItemID>: Sendable {
  associatedtype SectionID: Hashable & Sendable
  associatedtype ItemID: Hashable & Sendable

  /// The content of the empty source.
  init()

  /// Lets go of the content of what has left the order, and checks that of what has come.
  ///
  /// - Parameters:
  ///   - correspondence: What both orders have in common.
  ///   - old: The order that this was the content of. It need not have its lookup table.
  ///   - new: The order that this is to be the content of, with its lookup table.
  /// - Returns: The items that have come without content.
  mutating func follow(
    _ correspondence: Correspondence, from old: Snapshot<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>
  ) -> [ItemID]

  /// Replays onto this content what a writer changed since a base: the content that theirs has for
  /// an identifier counts where it differs from that of the base.
  mutating func merge(_ theirs: Self, basedOn base: Self)

  /// The identifiers that both have and whose content differs, as marks to reconfigure them.
  func changes(since old: Self) -> Snapshot<SectionID, ItemID>.Marks
}

/// The content of a source that holds identifiers only.
struct NoContent<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: SourceContent {
  init() {}

  func follow(
    _ correspondence: Correspondence, from old: Snapshot<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>
  ) -> [ItemID] { [] }

  func merge(_ theirs: NoContent, basedOn base: NoContent) {}

  func changes(since old: NoContent) -> Snapshot<SectionID, ItemID>.Marks { .init() }
}
