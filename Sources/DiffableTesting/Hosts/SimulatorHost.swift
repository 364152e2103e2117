public import Diffable
public import DiffableViews

/// A host that does not draw: it takes what a controller hands over like a strict list view, and
/// reports every rule that is broken.
///
/// With it providers and controllers can be tested where there is no screen:
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
/// Every item is a row of one unit, headers and footers take no room, and the view is as high as it
/// is told to be. Cells are made for visible rows only, and used again once they have left.
@MainActor
public final class SimulatorHost<Cell: AnyObject, SupplementaryView: AnyObject> {
  typealias View = ListSimulator<AnyItemID, AnyItemID>

  /// Whom the view asks; not held.
  public weak var content: (any ListContent<Cell, SupplementaryView>)?
  /// The rules that the view imposes.
  public let profile: ListProfile
  /// The kinds of supplementary views that each visible section has one of.
  public let elementKinds: [String]

  var view: View
  /// Every rule that was broken so far.
  public internal(set) var violations: [ListViolation] = []
  /// Answers whether the view is in a window; without one it takes resets only.
  public var isInWindow = true
  /// Answers whether the view has been laid out once; before that it takes resets only.
  public var isLaidOut = true
  /// Answers whether a stage ends only when ``endStage()`` is called.
  public var holdsStages = false
  /// The stage that is under way.
  public internal(set) var heldStage: ListStage?
  var stageObservers: [CheckedContinuation<Void, Never>] = []
  /// The number of stages that were performed.
  public internal(set) var stageCount = 0
  /// The number of resets.
  public internal(set) var resetCount = 0

  /// The number of rows that fit on the screen.
  public let visibleRowCount: Int
  /// The number of rows below the screen that the content is told to prefetch.
  public let prefetchRowCount: Int
  /// What the content was told to prefetch, and has not shown since.
  var announced: Set<AnyItemID> = []
  /// The number of rows above the first one on the screen.
  public internal(set) var firstVisibleRow = 0
  /// The cells on the screen.
  var cells: [ItemPath: Cell] = [:]
  /// The supplementary views of visible sections, by kind and section.
  var supplementaryViews: [String: [Int: SupplementaryView]] = [:]
  var store: ViewStore
  /// What went wrong with a cell, by the path that shows a placeholder instead.
  public internal(set) var errors: [ItemPath: ListError] = [:]
  let placeholder: (ListError) -> Cell
  let supplementaryPlaceholder: (ListError) -> SupplementaryView

  /// The items that are shown as selected.
  public internal(set) var selectedItemPaths: Set<ItemPath> = []

  /// Creates a view without content.
  ///
  /// - Parameters:
  ///   - profile: The rules that the view imposes.
  ///   - visibleRowCount: The number of rows that fit on the screen.
  ///   - elementKinds: The kinds of supplementary views that each section has one of.
  ///   - prefetchRowCount: The number of rows below the screen that the content is told to prefetch.
  ///   - makeView: Makes a view of a kind whose registration does not say how.
  ///   - placeholder: Makes what is shown instead of a cell.
  ///   - supplementaryPlaceholder: Makes what is shown instead of a supplementary view.
  public init(
    profile: ListProfile, visibleRowCount: Int = .max, elementKinds: [String] = [],
    prefetchRowCount: Int = 0, makeView: @escaping (ReuseKind) -> AnyObject?,
    placeholder: @escaping (ListError) -> Cell,
    supplementaryPlaceholder: @escaping (ListError) -> SupplementaryView
  ) {
    self.profile = profile
    self.visibleRowCount = max(0, visibleRowCount)
    self.elementKinds = elementKinds
    self.prefetchRowCount = max(0, prefetchRowCount)
    self.placeholder = placeholder
    self.supplementaryPlaceholder = supplementaryPlaceholder
    store = ViewStore(makeView: makeView)
    view = View(profile: profile)
  }
}

extension SimulatorHost where Cell == SimulatedView, SupplementaryView == SimulatedView {
  /// Creates a view without content, whose cells are simulated as well.
  ///
  /// A placeholder shows the description of the error.
  ///
  /// - Parameters:
  ///   - profile: The rules that the view imposes.
  ///   - visibleRowCount: The number of rows that fit on the screen.
  ///   - elementKinds: The kinds of supplementary views that each section has one of.
  ///   - prefetchRowCount: The number of rows below the screen that the content is told to prefetch.
  public convenience init(
    profile: ListProfile, visibleRowCount: Int = .max, elementKinds: [String] = [],
    prefetchRowCount: Int = 0
  ) {
    func placeholder(_ error: ListError) -> SimulatedView {
      let view = SimulatedView()
      view.text = "\(error)"
      return view
    }
    self.init(
      profile: profile, visibleRowCount: visibleRowCount, elementKinds: elementKinds,
      prefetchRowCount: prefetchRowCount,
      makeView: { ($0.viewType as? SimulatedView.Type)?.init() },
      placeholder: placeholder, supplementaryPlaceholder: placeholder)
  }
}

extension SimulatorHost {
  /// Waits until a stage is under way; only for a host that holds stages.
  ///
  /// It waits for ever if none comes.
  public func stageBegun() async {
    guard heldStage == nil else { return }
    await withCheckedContinuation { stageObservers.append($0) }
  }

  /// Ends the stage that is under way, if there is one.
  public func endStage() {
    let stage = heldStage
    heldStage = nil
    stage?.end()
  }

  /// Scrolls so that a row is the first one, or as near as there are rows.
  public func scroll(toRow row: Int) {
    firstVisibleRow = row
    load()
  }

  /// Selects an item like a user, or ends its selection.
  public func tapItem(at path: ItemPath) {
    if selectedItemPaths.remove(path) != nil {
      content?.didDeselectItem(at: path)
    } else {
      selectedItemPaths.insert(path)
      content?.didSelectItem(at: path)
    }
  }

  /// Unfolds a row like a user, or folds it; a leaf is left alone.
  public func tapDisclosure(ofItemAt path: ItemPath) {
    guard let disclosure = content?.disclosure(ofItemAt: path) else { return }
    content?.setExpanded(!disclosure.isExpanded, ofItemAt: path)
  }
}
