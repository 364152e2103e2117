public import Diffable
public import DiffableViews

/// A host that does not draw: it behaves like a strict list view and reports every violated rule.
///
/// Use it to test providers and controllers without a screen:
///
/// ```swift
/// let host = SimulatorHost<SimulatedView, SimulatedView>(profile: .collectionView)
/// let controller = ListController<String, Int, SimulatorHost>(host: host) { cells, path, item in
///   try cells.dequeueConfiguredReusableCell(using: rows, for: path, item: item)
/// }
/// await controller.follow(source)
/// #expect(host.violations.isEmpty, "\(host.violations)")
/// #expect(host.cell(at: ItemPath(section: 0, item: 0))?.text == "First")
/// ```
///
/// Every item is a row of one unit, headers and footers take no space, and the view has the given
/// height. Cells are made for visible rows only, and reused.
///
/// Cells may be of any class, such as those of the app. The host makes a ``SimulatedView`` or a subclass from
/// its type. Others are made by the closure of their registration, or by `makeView`: in a test on iOS, that is
/// `{ ($0.viewType as? UIView.Type)?.init() }`.
@MainActor
public final class SimulatorHost<Cell: AnyObject, SupplementaryView: AnyObject> {
  typealias View = ListSimulator<AnyItemID, AnyItemID>

  /// What the view shows; not held.
  public weak var content: (any ListContent<Cell, SupplementaryView>)?
  /// The rules of the view.
  public let profile: ListProfile
  /// The kinds of supplementary views; each visible section has one of each kind, also without rows.
  package let elementKinds: [String]

  var view: View
  /// All violations so far.
  public internal(set) var violations: [ListViolation] = []
  /// Whether the view is in a window; without one it takes only resets.
  public var isInWindow = true
  /// Whether the view has been laid out; before that it takes only resets.
  public var isLaidOut = true
  /// Whether a stage ends only when ``endStage()`` is called.
  public var holdsStages = false
  /// The current stage.
  package internal(set) var heldStage: ListStage?
  var stageObservers: [CheckedContinuation<Void, Never>] = []
  /// The number of performed stages.
  public internal(set) var stageCount = 0
  /// The number of resets.
  package internal(set) var resetCount = 0

  /// The number of rows that fit on the screen.
  package let visibleRowCount: Int
  /// The number of rows below the screen that are prefetched.
  package let prefetchRowCount: Int
  /// The items that the content was asked to prefetch and that have not been visible since.
  var announced: Set<AnyItemID> = []
  /// What is visible; its units are rows.
  public var viewport: Viewport
  /// The visible cells; `nil` for one that could not be made, without a placeholder for it.
  var cells: [ItemPath: Cell?] = [:]
  /// The supplementary views of visible sections, by kind and section; `nil` as for cells.
  var supplementaryViews: [String: [Int: SupplementaryView?]] = [:]
  var store: ViewStore
  /// The errors of cells, by the paths that show placeholders, or nothing.
  public internal(set) var errors: [ItemPath: ListError] = [:]
  let placeholder: (ListError) -> Cell?
  let supplementaryPlaceholder: (ListError) -> SupplementaryView?

  /// The items that are shown as selected.
  public internal(set) var selectedItemPaths: ItemPathSet = []

  /// Creates a view without content.
  ///
  /// - Parameters:
  ///   - profile: The rules of the view.
  ///   - visibleRowCount: The number of rows that fit on the screen.
  ///   - elementKinds: The kinds of supplementary views; each section has one of each kind.
  ///   - prefetchRowCount: The number of rows below the screen that are prefetched.
  ///   - makeView: Makes a view of a kind whose registration has no closure for that. By default,
  ///     only a ``SimulatedView`` or a subclass can be made.
  ///   - placeholder: Makes a placeholder for a cell. By default, a ``SimulatedView`` shows the
  ///     description of the error. Where that is no such cell, there is none, and ``cell(at:)``
  ///     returns `nil`.
  ///   - supplementaryPlaceholder: Makes a placeholder for a supplementary view, by default as for
  ///     cells.
  public init(
    profile: ListProfile, visibleRowCount: Int = .max, elementKinds: [String] = [],
    prefetchRowCount: Int = 0,
    makeView: @escaping (ReuseKind) -> AnyObject? = {
      ($0.viewType as? SimulatedView.Type)?.init()
    },
    placeholder: @escaping (ListError) -> Cell? = { SimulatedView(showing: $0) as? Cell },
    supplementaryPlaceholder: @escaping (ListError) -> SupplementaryView? = {
      SimulatedView(showing: $0) as? SupplementaryView
    }
  ) {
    self.profile = profile
    self.visibleRowCount = max(0, visibleRowCount)
    self.elementKinds = elementKinds
    self.prefetchRowCount = max(0, prefetchRowCount)
    self.placeholder = placeholder
    self.supplementaryPlaceholder = supplementaryPlaceholder
    store = ViewStore(makeView: makeView)
    view = View(profile: profile)
    viewport = Viewport(length: Double(self.visibleRowCount))
  }
}

extension SimulatorHost {
  /// Waits until there is a current stage; only for a host that holds stages.
  ///
  /// It waits forever if no stage begins.
  public func stageBegun() async {
    guard heldStage == nil else { return }
    await withCheckedContinuation { stageObservers.append($0) }
  }

  /// Ends the current stage, if there is one.
  public func endStage() {
    let stage = heldStage
    heldStage = nil
    stage?.end()
  }

  /// The number of rows above the first visible one.
  package var firstVisibleRow: Int { Int(viewport.offset) }

  /// Scrolls so that a row is the first one, or as near to it as the rows allow.
  public func scroll(toRow row: Int) {
    viewport.scroll(to: Double(row))
    load()
  }

  /// Selects or deselects an item, as a user would.
  public func tapItem(at path: ItemPath) {
    if selectedItemPaths.contains(path) {
      selectedItemPaths = selectedItemPaths.subtracting([path])
      content?.didDeselectItems(at: [path])
    } else {
      selectedItemPaths = selectedItemPaths.union([path])
      content?.didSelectItems(at: [path])
    }
  }

  /// Extends the selection from one item to another, as a user would with the Shift key.
  package func extendSelection(from origin: ItemPath, to path: ItemPath) {
    content?.didExtendSelection(from: origin, to: path)
  }

  /// Expands or collapses a row, as a user would; a leaf is not changed.
  public func tapDisclosure(ofItemAt path: ItemPath) {
    guard let disclosure = content?.disclosure(ofItemAt: path) else { return }
    content?.setExpanded(!disclosure.isExpanded, ofItemAt: path)
  }
}
