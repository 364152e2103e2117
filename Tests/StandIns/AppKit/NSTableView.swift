package import StandInSupport

/// developer.apple.com/documentation/appkit/nstablecolumn
@MainActor open class NSTableColumn: NSObject {
  /// developer.apple.com/documentation/appkit/nstablecolumn/init(identifier:)
  public init(identifier: NSUserInterfaceItemIdentifier) {
    self.identifier = identifier
    super.init()
  }

  /// developer.apple.com/documentation/appkit/nstablecolumn/identifier
  open var identifier: NSUserInterfaceItemIdentifier
}

/// developer.apple.com/documentation/appkit/nstablerowview
@MainActor open class NSTableRowView: NSView {}

/// developer.apple.com/documentation/appkit/nstableview
@MainActor open class NSTableView: NSControl {
  /// developer.apple.com/documentation/appkit/nstableview/animationoptions
  public struct AnimationOptions: OptionSet, Sendable {
    /// developer.apple.com/documentation/swift/rawrepresentable/rawvalue-swift.property
    public let rawValue: UInt

    /// developer.apple.com/documentation/appkit/nstableview/animationoptions/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// developer.apple.com/documentation/appkit/nstableview/animationoptions/effectfade
    public static var effectFade: NSTableView.AnimationOptions { .init(rawValue: 1) }
  }

  /// developer.apple.com/documentation/appkit/nstableview/dropoperation
  public enum DropOperation: UInt, Sendable {
    case on = 0
    case above = 1
  }

  /// developer.apple.com/documentation/appkit/nstableview/setdroprow(_:dropoperation:)
  open func setDropRow(_ row: Int, dropOperation: NSTableView.DropOperation) {
    proposedDrop = (row, dropOperation)
  }

  /// Where what is dragged would be dropped.
  var proposedDrop: (row: Int, operation: NSTableView.DropOperation)?
  var heldRows = IndexSet()
  package var habits = StandInHabits.all
  package var batchUpdateCount = 0

  /// developer.apple.com/documentation/appkit/nstableview/selectiondidchangenotification
  public class var selectionDidChangeNotification: NSNotification.Name {
    NSNotification.Name("NSTableViewSelectionDidChangeNotification")
  }

  /// developer.apple.com/documentation/appkit/nstableview/datasource
  open weak var dataSource: (any NSTableViewDataSource)? {
    didSet { reloadData() }
  }
  /// developer.apple.com/documentation/appkit/nstableview/delegate
  open weak var delegate: (any NSTableViewDelegate)?
  /// developer.apple.com/documentation/appkit/nstableview/rowheight
  open var rowHeight: CGFloat = 20
  /// developer.apple.com/documentation/appkit/nstableview/tablecolumns
  open internal(set) var tableColumns: [NSTableColumn] = []
  /// developer.apple.com/documentation/appkit/nstableview/allowsmultipleselection
  open var allowsMultipleSelection = false
  /// developer.apple.com/documentation/appkit/nstableview/allowsemptyselection
  open var allowsEmptySelection = true

  /// developer.apple.com/documentation/appkit/nstableview/addtablecolumn(_:)
  open func addTableColumn(_ tableColumn: NSTableColumn) { tableColumns.append(tableColumn) }

  /// A number for each row, which goes where the row goes; `nil` until the view has asked.
  private var rowIDs: [Int]?
  private var nextID = 0
  var views: [Int: [NSView?]] = [:]
  private var freeViews: [NSUserInterfaceItemIdentifier: [NSView]] = [:]
  private var selected: Set<Int> = []
  /// The row that was removed last while it was selected.
  private var lastSelected = 0
  private var updateDepth = 0

  private var rows: [Int] {
    if let rowIDs { return rowIDs }
    let rows = (0..<(dataSource?.numberOfRows(in: self) ?? 0)).map { _ in fresh() }
    rowIDs = rows
    return rows
  }

  private func fresh() -> Int {
    nextID += 1
    return nextID
  }

  /// developer.apple.com/documentation/appkit/nstableview/numberofrows
  open var numberOfRows: Int { rows.count }

  /// developer.apple.com/documentation/appkit/nstableview/reloaddata()
  open func reloadData() {
    if updateDepth > 0 { raise(.init("The data are reloaded inside of an update.")) }
    let indexes = selectedRowIndexes
    rowIDs = nil
    for id in Array(views.keys) { free(id) }
    selected =
      habits.contains(.keepsSelectionOnReload) && !indexes.isEmpty
      ? Set(indexes.filter(rows.indices.contains).map { rows[$0] }) : []
    selectByItself()
    needsLayout = true
  }

  /// developer.apple.com/documentation/appkit/nstableview/beginupdates()
  open func beginUpdates() {
    _ = rows
    if window == nil { raise(.init("S8: The view is not in a window and can only be reloaded.")) }
    updateDepth += 1
    batchUpdateCount += 1
  }

  /// developer.apple.com/documentation/appkit/nstableview/endupdates()
  open func endUpdates() {
    updateDepth -= 1
    guard updateDepth == 0 else { return }
    let count = dataSource?.numberOfRows(in: self) ?? 0
    if count != rows.count {
      raise(.init("The view has \(rows.count) rows after the updates, its data source \(count)."))
      rowIDs = (0..<count).map { _ in fresh() }
    }
    selectByItself()
    needsLayout = true
    layoutSubtreeIfNeeded()
  }

  /// Selects the nearest row to those that were selected, if nothing is selected and that is not allowed.
  private func selectByItself() {
    guard !allowsEmptySelection, selected.isEmpty else { return }
    let allowed = rows.indices.filter { delegate?.tableView(self, shouldSelectRow: $0) ?? true }
    guard let row = allowed.min(by: { abs($0 - lastSelected) < abs($1 - lastSelected) }) else {
      return
    }
    selected = [rows[row]]
    reportSelection()
  }

  private func reportSelection() {
    delegate?.tableViewSelectionDidChange(
      Notification(name: Self.selectionDidChangeNotification, object: self))
  }

  private func change(_ edit: (inout [Int]) -> Void) {
    beginUpdates()
    var rows = rows
    edit(&rows)
    rowIDs = rows
    if habits.contains(.asksWithinChanges) { layout() }
    endUpdates()
  }

  /// developer.apple.com/documentation/appkit/nstableview/insertrows(at:withanimation:)
  open func insertRows(
    at indexes: IndexSet, withAnimation animationOptions: NSTableView.AnimationOptions = []
  ) {
    change { rows in
      for index in indexes {
        guard index <= rows.count else {
          raise(.init("Row \(index) is inserted, but there are only \(rows.count) rows."))
          continue
        }
        rows.insert(fresh(), at: index)
      }
    }
  }

  /// developer.apple.com/documentation/appkit/nstableview/removerows(at:withanimation:)
  open func removeRows(
    at indexes: IndexSet, withAnimation animationOptions: NSTableView.AnimationOptions = []
  ) {
    change { rows in
      for index in indexes.reversed() {
        guard index < rows.count else {
          raise(.init("Row \(index) is removed, but there are only \(rows.count) rows."))
          continue
        }
        let id = rows.remove(at: index)
        free(id)
        if selected.remove(id) != nil { lastSelected = index }
      }
    }
  }

  /// developer.apple.com/documentation/appkit/nstableview/moverow(at:to:)
  open func moveRow(at oldIndex: Int, to newIndex: Int) {
    change { rows in
      guard rows.indices.contains(oldIndex), rows.indices.contains(newIndex) else {
        return raise(.init("Row \(oldIndex) is moved to \(newIndex) of \(rows.count) rows."))
      }
      rows.insert(rows.remove(at: oldIndex), at: newIndex)
    }
  }

  /// developer.apple.com/documentation/appkit/nstableview/reloaddata(forrowindexes:columnindexes:)
  open func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {
    for row in rowIndexes {
      guard row < rows.count else {
        raise(.init("Row \(row) is reloaded, but there are only \(rows.count) rows."))
        continue
      }
      guard var rowViews = views[rows[row]] else { continue }
      for column in columnIndexes where rowViews.indices.contains(column) {
        if let view = rowViews[column] { free(view) }
        rowViews[column] = makeCell(column, row)
      }
      views[rows[row]] = rowViews
    }
  }

  /// developer.apple.com/documentation/appkit/nstableview/noteheightofrows(withindexeschanged:)
  open func noteHeightOfRows(withIndexesChanged indexSet: IndexSet) {
    resizedRows.formUnion(indexSet)
    // It animates that by itself, unless a group says otherwise.
    resizeDuration = 0.25
    NSAnimationContext.resized = self
  }

  /// The rows of which was said that they have another height.
  package var resizedRows = IndexSet()
  /// How long the last of them took to get it.
  package var resizeDuration: TimeInterval = 0

  /// developer.apple.com/documentation/appkit/nstableview/makeview(withidentifier:owner:)
  open func makeView(
    withIdentifier identifier: NSUserInterfaceItemIdentifier, owner: Any?
  ) -> NSView? {
    freeViews[identifier]?.popLast()
  }

  /// developer.apple.com/documentation/appkit/nstableview/view(atcolumn:row:makeifnecessary:)
  open func view(atColumn column: Int, row: Int, makeIfNecessary: Bool) -> NSView? {
    guard rows.indices.contains(row), tableColumns.indices.contains(column) else {
      if habits.contains(.raisesOutOfRange) {
        raise(.init("There is no view in column \(column) of row \(row)."))
      }
      return nil
    }
    // A group row has one view, over all columns.
    return views[rows[row]].flatMap { $0.indices.contains(column) ? $0[column] : nil }
  }

  /// developer.apple.com/documentation/appkit/nstableview/enumerateavailablerowviews(_:)
  open func enumerateAvailableRowViews(_ handler: (NSTableRowView, Int) -> Void) {
    for (row, id) in rows.enumerated() where views[id] != nil {
      handler(NSTableRowView(frame: .zero), row)
    }
  }

  /// developer.apple.com/documentation/appkit/nstableview/rows(in:)
  open func rows(in rect: NSRect) -> NSRange {
    let visible = rows.indices.filter { self.rect(ofRow: $0).overlaps(rect) }
    return NSRange(location: visible.first ?? 0, length: visible.count)
  }

  /// developer.apple.com/documentation/appkit/nstableview/rect(ofrow:)
  open func rect(ofRow row: Int) -> NSRect {
    guard rows.indices.contains(row) else { return .zero }
    let y = rows.prefix(row).reduce(0) { $0 + height(of: $1) }
    return NSRect(x: 0, y: y, width: bounds.width, height: height(of: rows[row]))
  }

  /// developer.apple.com/documentation/appkit/nstableview/floatsgrouprows
  open var floatsGroupRows = true

  /// What Auto Layout finds to be the height of a row's first view, if rows size themselves.
  package var fittingHeight: ((NSView) -> CGFloat)?
  /// The heights of rows that were measured.
  private var heights: [Int: CGFloat] = [:]

  private func height(of id: Int) -> CGFloat { heights[id] ?? rowHeight }

  /// Measures the rows on the screen; answers whether one has another height than before.
  private func measure() -> Bool {
    guard let fittingHeight else { return false }
    let former = heights
    for (id, views) in views {
      if case let view?? = views.first { heights[id] = fittingHeight(view) }
    }
    return heights != former
  }

  /// developer.apple.com/documentation/appkit/nstableview/selectedrowindexes
  open var selectedRowIndexes: IndexSet {
    IndexSet(rows.indices.filter { selected.contains(rows[$0]) })
  }

  /// developer.apple.com/documentation/appkit/nstableview/selectrowindexes(_:byextendingselection:)
  open func selectRowIndexes(_ indexes: IndexSet, byExtendingSelection extend: Bool) {
    if habits.contains(.raisesOutOfRange), !indexes.allSatisfy(rows.indices.contains) {
      raise(.init("There are no rows \(Array(indexes)) to select."))
    }
    let new = Set(indexes.filter(rows.indices.contains).map { rows[$0] })
    let before = selected
    selected = extend ? selected.union(new) : new
    guard selected != before else { return }
    reportSelection()
  }

  open override func layout() {
    for _ in 0..<100 {
      frame.size.height = rows.reduce(0) { $0 + height(of: $1) }
      fitOffset()
      let visible = Range(rows(in: visibleRect)) ?? 0..<0
      let prepares = habits.contains(.preparesNextCell) && !visible.isEmpty
      let made = visible.lowerBound..<min(visible.upperBound + (prepares ? 1 : 0), rows.count)
      let ids = Set(rows[made])
      for id in Array(views.keys) where !ids.contains(id) { free(id) }
      for row in made where views[rows[row]] == nil {
        let isGroup = delegate?.tableView(self, isGroupRow: row) ?? false
        views[rows[row]] =
          isGroup
          ? [delegate?.tableView(self, viewFor: nil, row: row)]
          : tableColumns.indices.map { makeCell($0, row) }
      }
      guard measure() else { break }
    }
  }

  private func makeCell(_ column: Int, _ row: Int) -> NSView? {
    delegate?.tableView(
      self,
      viewFor: delegate?.tableView(self, isGroupRow: row) == true ? nil : tableColumns[column],
      row: row)
  }

  private func free(_ id: Int) {
    for view in views.removeValue(forKey: id) ?? [] {
      if let view { free(view) }
    }
  }

  private func free(_ view: NSView) {
    guard let identifier = view.identifier else { return }
    freeViews[identifier, default: []].append(view)
  }
}
