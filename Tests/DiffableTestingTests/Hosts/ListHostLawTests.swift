import Diffable
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("The laws of list hosts hold for the simulator, and each is broken by a host that is wrong")
@MainActor struct ListHostLawTests {
  private final class Cell: SimulatedView {}

  private static let rows = CellRegistration<Cell, Int> { cell, _, item in cell.text = "\(item)" }
  private static let titles = SupplementaryRegistration<SimulatedView, Int>(elementKind: "header") {
    view, _, section in view.text = "section \(section)"
  }

  private func violations<Host: ListHost>(
    of host: Host, seeds: Range<UInt64> = 0..<20
  ) async -> [LawViolation<ListHostLaw>]
  where Host.Cell == SimulatedView, Host.SupplementaryView == SimulatedView {
    let header: ListController<Int, Int, Host>.SupplementaryProvider = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: Self.titles, for: path, model: section)
    }
    return await ListHostLaw.violations(
      of: host, seeds: seeds, supplementaryProviders: ["header": header]
    ) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: Self.rows, for: path, item: item)
    }
  }

  @Test(
    "the simulator", arguments: [ListProfile.collectionView, .tableView, .movesApart, .sequential])
  func simulator(profile: ListProfile) async {
    for rows in [2, 5, .max] {
      for profile in [profile, profile.resetting(past: 5)] {
        let host = SimulatorHost<SimulatedView, SimulatedView>(
          profile: profile, visibleRowCount: rows, elementKinds: rows == 5 ? [] : ["header"])
        let found = await violations(of: host, seeds: 0..<UInt64(rounds(20, least: 4)))
        #expect(found == [], "\(found)")
        #expect(host.violations.isEmpty, "\(host.violations)")
        #expect(host.stageCount > 10 && host.resetCount > 10)
      }
    }
  }

  @Test("a host that breaks a law", arguments: ListHostLaw.allCases)
  func faults(law: ListHostLaw) async {
    let broken = Set(await violations(of: FaultyHost(breaking: law)).map(\.law))
    #expect(broken.contains(law), "\(broken)")
    // A row that gets another name keeps a cell that was given under the old one, so that what is wrong
    // with cells and what is wrong with refreshes entail each other.
    let entailed: Set<ListHostLaw> =
      switch law {
      case .cells: [.refreshes]
      case .refreshes, .resets: [.cells]
      default: []
      }
    #expect(broken.subtracting(entailed) == [law], "\(broken)")
  }

  @Test("a host that breaks another part of a law", arguments: FaultyHost.Variant.allCases)
  fileprivate func variants(_ variant: FaultyHost.Variant) async {
    let host = FaultyHost(breaking: nil, variant)
    var all: [LawViolation<ListHostLaw>] = []
    for seed in 0..<200 as Range<UInt64> {
      let found = await violations(of: host, seeds: seed..<seed + 1)
      if found.contains(where: { $0.explanation.contains(variant.rawValue) }) { return }
      all += found
    }
    Issue.record("\(all)")
  }

  @Test("a host that breaks no law")
  func faultless() async {
    #expect(await violations(of: FaultyHost(breaking: nil)) == [])
  }
}

/// The simulator with a fault.
@MainActor private final class FaultyHost: ListHost {
  typealias Base = SimulatorHost<SimulatedView, SimulatedView>

  /// What is wrong with it, by the words of the law.
  enum Variant: String, CaseIterable {
    case showsOtherRows = "should have stayed at its place, but is not visible"
    case losesItsPlace = ", and is at"
    case exchangesCells = "was given another cell"
    case repeatsPaths = "do not ascend"
    case repeatsHeaders = "is also at"
    case hasNoCell = "is visible, but has no cell"
    case hasCellOfNothing = "has a cell, but does not exist"
    case showsNothing = "is visible, but does not exist"
    case hasNoPlaceholder = "and the host shows no placeholder for it"
    case hidesRow = "is in the viewport, but is not visible"
    case ignoresTargets = "should have been scrolled to, but is not visible"
    case ignoresEnds = "was scrolled to an end, and is not there"
    case leavesStart = "was at its beginning, and is not any more"
    case leavesEnd = "was at its end, and is not any more"
  }

  private let base = Base(profile: .collectionView, visibleRowCount: 5, elementKinds: ["header"])
  private let fault: ListHostLaw?
  private let variant: Variant?
  private var proxy: CachingContent?
  private var exchanged: [ItemPath: SimulatedView] = [:]

  init(breaking fault: ListHostLaw?, _ variant: Variant? = nil) {
    (self.fault, self.variant) = (fault, variant)
  }

  var content: (any ListContent<SimulatedView, SimulatedView>)? {
    didSet {
      proxy = content.map { CachingContent($0) }
      base.content = proxy
    }
  }
  var profile: ListProfile { base.profile }
  var takesStages: Bool { true }
  var numberOfSections: Int {
    base.numberOfSections == 3 && fault == .counts ? 2 : base.numberOfSections
  }

  func reset(keeping anchor: ListAnchor) {
    proxy?.usesCache = fault == .resets
    base.reset(keeping: anchor)
    proxy?.usesCache = false
  }

  func perform(_ stage: ListStage) {
    if fault == .stages, let content {
      // Asks for new positions before the stage has begun.
      for path in stage.difference.itemInserts { _ = try? content.cell(for: path) }
    }
    proxy?.usesCache = fault == .refreshes
    let anchor = base.viewport.anchor
    base.perform(stage)
    proxy?.usesCache = false
    if fault == .place { base.scroll(toRow: 3) }
    switch variant {
    case .showsOtherRows: base.scroll(toRow: base.firstVisibleRow == 0 ? 6 : 0)
    case .losesItsPlace: base.scroll(toRow: max(0, base.firstVisibleRow - 1))
    case .leavesStart where anchor == .start: base.scroll(toRow: 2)
    case .leavesEnd where anchor == .end: base.scroll(toRow: 0)
    default: break
    }
    exchanged = [:]
    guard variant == .exchangesCells else { return }
    for path in stage.difference.itemReconfigures where base.cell(at: path) != nil {
      exchanged[path] = SimulatedView()
    }
  }

  func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> SimulatedView? {
    // A cell that is used again does not show what it was cached for.
    fault == .refreshes || fault == .resets
      ? (kind.viewType as? SimulatedView.Type)?.init() : base.dequeueCell(of: kind, for: path)
  }
  func reuseIdentifier(of cell: SimulatedView) -> String? { base.reuseIdentifier(of: cell) }
  var visibleItemPaths: [ItemPath] {
    let paths = base.visibleItemPaths
    switch variant {
    case .repeatsPaths: return paths.prefix(1) + paths
    case .hidesRow: return paths.dropLast()
    case .showsNothing: return paths + [ItemPath(section: base.numberOfSections, item: 0)]
    default: break
    }
    return fault == .visibleItems ? paths.reversed() : paths
  }
  func cell(at path: ItemPath) -> SimulatedView? {
    if let cell = exchanged[path] { return cell }
    switch variant {
    case .hasNoCell where path == visibleItemPaths.last: return nil
    case .hasCellOfNothing where proxy?.identity(ofItemAt: path) == nil: return SimulatedView()
    case .hasNoPlaceholder:
      guard let cell = base.cell(at: path), base.reuseIdentifier(of: cell) == nil else { break }
      return visibleItemPaths.compactMap { base.cell(at: $0) }
        .first { base.reuseIdentifier(of: $0) != nil }
    default: break
    }
    guard fault == .cells, let first = visibleItemPaths.first, let last = visibleItemPaths.last
    else { return base.cell(at: path) }
    return base.cell(at: path == first ? last : path)
  }
  func dequeueSupplementaryView(of kind: ReuseKind, for path: ItemPath) -> SimulatedView? {
    base.dequeueSupplementaryView(of: kind, for: path)
  }
  func reuseIdentifier(ofSupplementaryView view: SimulatedView) -> String? {
    base.reuseIdentifier(ofSupplementaryView: view)
  }
  func supplementaryView(ofKind kind: String, at path: ItemPath) -> SimulatedView? {
    if variant == .repeatsHeaders {
      return base.supplementaryView(ofKind: kind, at: ItemPath(section: path.section, item: 0))
    }
    guard fault == .supplementaryViews, path == ItemPath(section: 1, item: 0) else {
      return base.supplementaryView(ofKind: kind, at: path)
    }
    return base.supplementaryView(ofKind: kind, at: ItemPath(section: 0, item: 0))
  }
  var viewport: Viewport {
    get { base.viewport }
    set { base.viewport = newValue }
  }
  func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    if variant == .ignoresEnds, anchor == .start || anchor == .end { return }
    if variant == .ignoresTargets, anchor != .start, anchor != .end { return }
    base.scroll(to: anchor, isAnimated: isAnimated)
  }
}

/// Gives the same cell for the same item again, without asking.
@MainActor private final class CachingContent: ListContent {
  private let base: any ListContent<SimulatedView, SimulatedView>
  private var cells: [AnyItemID: SimulatedView] = [:]
  var usesCache = false

  init(_ base: any ListContent<SimulatedView, SimulatedView>) { self.base = base }

  var numberOfSections: Int { base.numberOfSections }
  func numberOfItems(inSection section: Int) -> Int { base.numberOfItems(inSection: section) }
  func cell(for path: ItemPath) throws(ListError) -> SimulatedView {
    guard let item = identity(ofItemAt: path) else { return try base.cell(for: path) }
    if usesCache, let cell = cells[item] { return cell }
    let cell = try base.cell(for: path)
    cells[item] = cell
    return cell
  }
  func supplementaryView(
    ofKind kind: String, for path: ItemPath
  ) throws(ListError) -> SimulatedView {
    try base.supplementaryView(ofKind: kind, for: path)
  }
  func identity(ofItemAt path: ItemPath) -> AnyItemID? { base.identity(ofItemAt: path) }
  func itemPath(withIdentity identity: AnyItemID) -> ItemPath? {
    base.itemPath(withIdentity: identity)
  }

  func itemPath(standingFor identity: AnyItemID) -> ItemPath? {
    base.itemPath(standingFor: identity)
  }
  func identity(ofSectionAt section: Int) -> AnyItemID? { base.identity(ofSectionAt: section) }
  func didSelectItems(at paths: ItemPathSet) { base.didSelectItems(at: paths) }
  func didDeselectItems(at paths: ItemPathSet) { base.didDeselectItems(at: paths) }
  func prefetchItems(at paths: [ItemPath]) {}
  func cancelPrefetchingItems(at paths: [ItemPath]) {}
  func beginReorderingItems(at paths: [ItemPath]) async -> Bool { false }
  func proposeReordering(to path: ItemPath) async {}
  func endReordering(isCommitted: Bool) async {}
}
