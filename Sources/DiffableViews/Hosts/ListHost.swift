public import Diffable

/// A list view that can show what a ``ListController`` follows.
///
/// A host is a thin shell around a view of some platform. It asks its ``content`` for counts and
/// cells, performs stages, and says what is on the screen. It knows no identifiers and keeps no data.
///
/// The laws, which `ListHostLaw` of DiffableTesting checks on any host:
///
/// 1. *Stages.* Each stage is begun once, and ended once after that. Before it is begun the host asks
///    for positions of the state before it only, from then on for those of the state after it only.
/// 2. *Counts.* Once a stage has ended, and once a reset has returned, ``numberOfSections`` is that
///    of the content.
/// 3. *Visible items.* ``visibleItemPaths`` exist, ascend, and each has a ``cell(at:)``; a path that
///    does not exist has none.
/// 4. *Cells.* The cell at a path is the one that the content gave for that item last, wherever the
///    item was then. Only where the content threw, it is a placeholder of the host's own.
/// 5. *Refreshes.* A reloaded item that is visible is asked for again, and so is every visible item
///    of a reloaded section. One that is reconfigured keeps its cell.
/// 6. *Resets.* After ``reset(keeping:)`` no cell is left from before.
/// 7. *Anchors.* Where an anchor is given, its item is visible afterwards. An anchor from
///    ``anchors`` names a visible item.
/// 8. *Supplementary views.* Paths of ``visibleSupplementaryViewPaths(ofKind:inSections:)`` exist, ascend,
///    and each has a view: the one that the content gave for that section last, or a placeholder where
///    it threw. One of a section that is reconfigured stays.
///
/// Whoever makes a host holds it; its controller does not. A host may hold its ``content``.
@MainActor
public protocol ListHost: AnyObject {
  /// The common type of all cells.
  associatedtype Cell: AnyObject
  /// The common type of headers, footers and the like; `Cell` where there are none.
  associatedtype SupplementaryView: AnyObject

  /// What the view shows; a controller sets itself.
  var content: (any ListContent<Cell, SupplementaryView>)? { get set }
  /// Which updates the view accepts.
  var profile: ListProfile { get }
  /// Answers whether the view takes updates now.
  ///
  /// A view without a window, or before its first layout, takes resets only (rule S8).
  var takesStages: Bool { get }
  /// The number of sections that the view believes to have, `content` aside.
  ///
  /// If it is not that of the content before a stage, the view is reset instead (rule S9).
  var numberOfSections: Int { get }

  /// Shows the content from scratch: its counts and cells are all to be asked for again.
  ///
  /// - Parameter anchor: An item that is to be at a place of the screen afterwards, as far as the
  ///   length of the content allows it.
  func reset(keeping anchor: ListAnchor?)
  /// Shows a change, and ends the stage when that is done.
  func perform(_ stage: ListStage)

  /// A cell that has left the screen, or a new one; `nil` if the host cannot make one of this kind.
  ///
  /// It is called while the content makes a cell that the host has asked for.
  func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> Cell?
  /// A supplementary view that has left the screen, or a new one; `nil` if the host cannot make one
  /// of this kind.
  func dequeueSupplementaryView(of kind: ReuseKind, for path: ItemPath) -> SupplementaryView?
  /// The ``ReuseKind/identifier`` that a cell was dequeued with; `nil` for a placeholder.
  func reuseIdentifier(of cell: Cell) -> String?
  /// The ``ReuseKind/identifier`` that a supplementary view was dequeued with; `nil` for a
  /// placeholder.
  func reuseIdentifier(ofSupplementaryView view: SupplementaryView) -> String?

  /// The paths of the items on the screen, in order.
  var visibleItemPaths: [ItemPath] { get }
  /// The cell at a path; `nil` if there is none now.
  func cell(at path: ItemPath) -> Cell?
  /// The supplementary view at a path; `nil` if there is none now.
  func supplementaryView(ofKind kind: String, at path: ItemPath) -> SupplementaryView?
  /// The paths of the supplementary views of a kind that some sections have on the screen, in order.
  ///
  /// Those of sections that are reconfigured are configured anew.
  func visibleSupplementaryViewPaths(
    ofKind kind: String, inSections sections: RangeSet<Int>
  ) -> [ItemPath]

  /// Where the visible items are, in order of preference: the first that is still there after a
  /// change is the one that stays at its place.
  ///
  /// None where the view had better go where the change takes it: a list that is scrolled to its
  /// very beginning usually shows what is inserted there.
  var anchors: [ListAnchor] { get }
  /// Shows exactly these items as selected.
  func showSelection(_ paths: Set<ItemPath>)
}

extension ListHost {
  /// None: a host without supplementary views makes none.
  public func dequeueSupplementaryView(
    of kind: ReuseKind, for path: ItemPath
  ) -> SupplementaryView? { nil }
  /// None: a host without supplementary views has none.
  public func reuseIdentifier(ofSupplementaryView view: SupplementaryView) -> String? { nil }
  /// None: a host without supplementary views has none.
  public func supplementaryView(
    ofKind kind: String, at path: ItemPath
  ) -> SupplementaryView? { nil }
  /// The first of each section, and those that are numbered like visible items: all headers, footers,
  /// and badges of which each item has one.
  ///
  /// - Complexity: As many questions for a view as there are sections and visible items in them.
  public func visibleSupplementaryViewPaths(
    ofKind kind: String, inSections sections: RangeSet<Int>
  ) -> [ItemPath] {
    let first = sections.ranges.joined().map { ItemPath(section: $0, item: 0) }
    let others = visibleItemPaths.filter { sections.contains($0.section) && $0.item > 0 }
    return (first + others).sorted().filter { supplementaryView(ofKind: kind, at: $0) != nil }
  }
  /// None: the view stays where it was scrolled to.
  public var anchors: [ListAnchor] { [] }
  /// Shows nothing: a host without selection ignores it.
  public func showSelection(_ paths: Set<ItemPath>) {}
}
