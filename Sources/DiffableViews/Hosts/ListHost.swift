public import Diffable

/// A list view that can show what a ``ListController`` follows.
///
/// A host is a thin shell around a view of some platform. It gets counts and cells from its
/// ``content``, performs stages, and reports what is on the screen. It knows no identifiers and
/// keeps no data.
///
/// The laws, which `ListHostLaw` of DiffableTesting checks on any host:
///
/// 1. *Stages.* Each stage is begun once, and ended once after that. Before it is begun, the host
///    uses only positions of the state before it, from then on only positions of the state after
///    it.
/// 2. *Counts.* When a stage has ended, and when a reset has returned, ``numberOfSections`` equals
///    the content's.
/// 3. *Visible items.* ``visibleItemPaths`` exist, ascend, and each has a ``cell(at:)``; a path
///    that does not exist has none.
/// 4. *Cells.* The cell at a path is the last one that the content returned for that item, wherever
///    the item was then. It is a placeholder of the host only if the content threw an error.
/// 5. *Refreshes.* The host requests the cell of each reloaded item that is visible again, and the
///    cell of each visible item of a reloaded section. A reconfigured item keeps its cell.
/// 6. *Resets.* After ``reset(keeping:)`` no earlier cell is left.
/// 7. *The place on the screen.* ``viewport`` has the visible rows and their places, and ``Viewport``
///    states which of them stay there. The host scrolls to where its viewport says.
/// 8. *Supplementary views.* Paths of ``visibleSupplementaryViewPaths(ofKind:inSections:)`` exist,
///    ascend, and each has a view of its own: the last one that the content returned for that section,
///    or a placeholder if it threw. A view of a reconfigured section stays.
///
/// The code that creates a host holds it; its controller does not. A host may hold its ``content``.
@MainActor
public protocol ListHost: AnyObject {
  /// The common type of all cells.
  associatedtype Cell: AnyObject
  /// The common type of headers, footers and the like; `Cell` if there are none.
  associatedtype SupplementaryView: AnyObject

  /// What the view shows; a controller sets itself here.
  var content: (any ListContent<Cell, SupplementaryView>)? { get set }
  /// The updates that the view accepts.
  var profile: ListProfile { get }
  /// Whether the view takes updates now.
  ///
  /// A view without a window, or before its first layout, takes resets only.
  var takesStages: Bool { get }
  /// The number of sections that the view assumes, independent of `content`.
  ///
  /// If it differs from the content's number before a stage, the view is reset instead.
  var numberOfSections: Int { get }

  /// Shows the content from scratch: all counts and cells are requested again.
  ///
  /// - Parameter anchor: What the ``viewport`` has to hold, for the state that is shown.
  func reset(keeping anchor: ListAnchor)
  /// Shows a change, and ends the stage when the view is done.
  ///
  /// The ``viewport`` has to hold the anchor of the stage.
  func perform(_ stage: ListStage)

  /// A reused or new cell; `nil` if the host cannot make one of this kind.
  ///
  /// It is called while the content makes a cell that the host has requested.
  func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> Cell?
  /// A reused or new supplementary view; `nil` if the host cannot make one of this kind.
  func dequeueSupplementaryView(of kind: ReuseKind, for path: ItemPath) -> SupplementaryView?
  /// The ``ReuseKind/identifier`` that a cell was dequeued with; `nil` for a placeholder.
  func reuseIdentifier(of cell: Cell) -> String?
  /// The ``ReuseKind/identifier`` of a dequeued supplementary view; `nil` for a placeholder.
  func reuseIdentifier(ofSupplementaryView view: SupplementaryView) -> String?

  /// The paths of the items on the screen, in order.
  var visibleItemPaths: [ItemPath] { get }
  /// The cell at a path; `nil` if there is none at the moment.
  func cell(at path: ItemPath) -> Cell?
  /// The supplementary view at a path; `nil` if there is none at the moment.
  func supplementaryView(ofKind kind: String, at path: ItemPath) -> SupplementaryView?
  /// The paths of the visible supplementary views of a kind in some sections, in order.
  ///
  /// If their sections are reconfigured, they are configured again.
  func visibleSupplementaryViewPaths(
    ofKind kind: String, inSections sections: RangeSet<Int>
  ) -> [ItemPath]

  /// What is visible, and where the reader is.
  ///
  /// It is up to date whenever the view is at rest. The controller reads it before a batch, and only
  /// sets ``Viewport/sticksToEnd``.
  var viewport: Viewport { get set }
  /// Scrolls to an anchor, for the state on display.
  ///
  /// Rows that come into view are measured first, so that the anchor is at its place afterwards.
  ///
  /// - Parameters:
  ///   - anchor: What the ``viewport`` has to hold.
  ///   - isAnimated: Whether the scrolling should be animated, if the view can do that.
  func scroll(to anchor: ListAnchor, isAnimated: Bool)
  /// Shows exactly these items as selected.
  func showSelection(_ paths: ItemPathSet)
}

/// A host whose view has cells that are not among ``ListHost/visibleItemPaths``: it makes some ahead, and keeps
/// some for a while.
///
/// ``ListHost/cell(at:)`` returns these as well, so they are configured again with the others.
@MainActor
package protocol PreparingHost: ListHost {
  /// Where the view may have cells: at least the paths of all that it has, in order.
  ///
  /// Read it while a batch is being shown: then items that the batch renames are still known.
  var pathsOfCells: [ItemPath] { get }
}

/// A host whose view limits how many items are selected.
@MainActor
package protocol SelectingHost: ListHost {
  /// Whether the user may select several items.
  var allowsMultipleSelection: Bool { get }
  /// What is selected in a view that must always have a selected item; empty for any other view.
  ///
  /// Such a view selects an item by itself if it has to.
  var ownSelection: ItemPathSet { get }
}

extension SelectingHost {
  /// Returns an empty set: the view may be without a selected item.
  package var ownSelection: ItemPathSet { ItemPathSet() }
}

extension ListHost {
  /// Returns `nil`: a host without supplementary views makes none.
  public func dequeueSupplementaryView(
    of kind: ReuseKind, for path: ItemPath
  ) -> SupplementaryView? { nil }
  /// Returns `nil`: a host without supplementary views has none.
  public func reuseIdentifier(ofSupplementaryView view: SupplementaryView) -> String? { nil }
  /// Returns `nil`: a host without supplementary views has none.
  public func supplementaryView(
    ofKind kind: String, at path: ItemPath
  ) -> SupplementaryView? { nil }
  /// The first view of each section, and those that are numbered like visible items.
  ///
  /// These are all headers and footers, and badges if each item has one.
  ///
  /// - Complexity: For a view, as many lookups as there are sections and visible items in them.
  public func visibleSupplementaryViewPaths(
    ofKind kind: String, inSections sections: RangeSet<Int>
  ) -> [ItemPath] {
    let first = sections.ranges.joined().map { ItemPath(section: $0, item: 0) }
    let others = visibleItemPaths.filter { sections.contains($0.section) && $0.item > 0 }
    return (first + others).sorted().filter { supplementaryView(ofKind: kind, at: $0) != nil }
  }
  /// The viewport of a view that does not scroll: nothing has to be held.
  public var viewport: Viewport {
    get { Viewport() }
    set {}
  }
  /// Does nothing: a view that does not scroll shows everything.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {}
  /// Does nothing: a host without selection ignores it.
  public func showSelection(_ paths: ItemPathSet) {}
}
