import Diffable
import DiffableTesting
import StandInSupport

extension NSCollectionView {
  /// developer.apple.com/documentation/appkit/nscollectionview/performbatchupdates(_:completionhandler:)
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil
  ) {
    batchUpdateCount += 1
    update { updates?() }
    guard let completionHandler else { return }
    if habits.contains(.completesBeforeReturning) {
      completionHandler(true)
    } else {
      Task { completionHandler(true) }
    }
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/performbatchupdates(_:completionhandler:)
  public func performBatchUpdates(_ updates: (() -> Void)?) async -> Bool {
    await withCheckedContinuation { done in
      performBatchUpdates(updates) { done.resume(returning: $0) }
    }
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/insertsections(_:)
  public func insertSections(_ sections: IndexSet) { call(sections.map { .insertSection($0) }) }

  /// developer.apple.com/documentation/appkit/nscollectionview/deletesections(_:)
  public func deleteSections(_ sections: IndexSet) { call(sections.map { .deleteSection($0) }) }

  /// developer.apple.com/documentation/appkit/nscollectionview/reloadsections(_:)
  public func reloadSections(_ sections: IndexSet) { call(sections.map { .reloadSection($0) }) }

  /// developer.apple.com/documentation/appkit/nscollectionview/movesection(_:tosection:)
  public func moveSection(_ section: Int, toSection newSection: Int) {
    call([.moveSection(Move(from: section, to: newSection))])
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/insertitems(at:)
  public func insertItems(at indexPaths: Set<IndexPath>) {
    call(indexPaths.map { .insertItem($0.itemPath) })
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/deleteitems(at:)
  public func deleteItems(at indexPaths: Set<IndexPath>) {
    call(indexPaths.map { .deleteItem($0.itemPath) })
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/reloaditems(at:)
  public func reloadItems(at indexPaths: Set<IndexPath>) {
    call(indexPaths.map { .reloadItem($0.itemPath) })
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/moveitem(at:to:)
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    call([.moveItem(Move(from: indexPath.itemPath, to: newIndexPath.itemPath))])
  }

  private func call(_ calls: [ListOperation]) {
    guard !calls.isEmpty, !belief.add(calls) else { return }
    update { call(calls) }
  }

  private func update(_ body: () -> Void) {
    let (_, outcome) = belief.update(body)
    let list = belief.list
    let ids = list.itemIDs
    for (id, item) in items where !ids.contains(id) || outcome.renewedItems.contains(id) {
      items[id] = nil
      free(item)
    }
    let sections = Set(list.sections.map(\.id)).subtracting(outcome.renewedSections)
    headers = headers.filter { sections.contains($0.key) }
    selected.formIntersection(ids)
    prefetched.keep(ids)
    needsLayout = true
    layoutSubtreeIfNeeded()
  }
}

// MARK: Items

extension NSCollectionView {
  /// developer.apple.com/documentation/appkit/nscollectionview/register(_:foritemwithidentifier:)-6s4i
  public func register(
    _ itemClass: AnyClass?, forItemWithIdentifier identifier: NSUserInterfaceItemIdentifier
  ) {
    registeredClasses["item " + identifier.rawValue] = itemClass
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/register(_:forsupplementaryviewofkind:withidentifier:)-3dqa
  public func register(
    _ viewClass: AnyClass?,
    forSupplementaryViewOfKind kind: NSCollectionView.SupplementaryElementKind,
    withIdentifier identifier: NSUserInterfaceItemIdentifier
  ) {
    registeredClasses[kind + " " + identifier.rawValue] = viewClass
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/register(_:foritemwithidentifier:)-90h1i
  public func register(
    _ nib: NSNib?, forItemWithIdentifier identifier: NSUserInterfaceItemIdentifier
  ) {
    registeredClasses["item " + identifier.rawValue] = nib.map { _ in NSCollectionViewItem.self }
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/register(_:forsupplementaryviewofkind:withidentifier:)-7gvf2
  public func register(
    _ nib: NSNib?, forSupplementaryViewOfKind kind: NSCollectionView.SupplementaryElementKind,
    withIdentifier identifier: NSUserInterfaceItemIdentifier
  ) {
    registeredClasses[kind + " " + identifier.rawValue] = nib.map { _ in NSView.self }
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/makeitem(withidentifier:for:)
  public func makeItem(
    withIdentifier identifier: NSUserInterfaceItemIdentifier, for indexPath: IndexPath
  ) -> NSCollectionViewItem {
    guard
      let itemClass = registeredClasses["item " + identifier.rawValue] as? NSCollectionViewItem.Type
    else { fatalError("no class is registered for \(identifier.rawValue)") }
    let item = freeItems[identifier]?.popLast() ?? itemClass.init(nibName: nil, bundle: nil)
    item.identifier = identifier
    return item
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/makesupplementaryview(ofkind:withidentifier:for:)
  public func makeSupplementaryView(
    ofKind elementKind: NSCollectionView.SupplementaryElementKind,
    withIdentifier identifier: NSUserInterfaceItemIdentifier, for indexPath: IndexPath
  ) -> NSView {
    let key = elementKind + " " + identifier.rawValue
    guard let viewClass = registeredClasses[key] as? NSView.Type else {
      fatalError("no class is registered for \(key)")
    }
    if !(viewClass is any NSCollectionViewElement.Type) {
      raise(.init("\(viewClass) is made for \(key), but does not adopt NSCollectionViewElement."))
    }
    let view = viewClass.init(frame: .zero)
    view.identifier = identifier
    return view
  }

  func free(_ item: NSCollectionViewItem) {
    item.view.removeFromSuperview()
    guard let identifier = item.identifier else { return }
    freeItems[identifier, default: []].append(item)
  }

  func layOutItems() {
    let list = belief.list
    let isHorizontal = collectionViewLayout?.isHorizontal == true
    func paths(
      of category: NSCollectionElementCategory = .item, in rect: NSRect
    ) -> [IndexPath] {
      let all = collectionViewLayout?.layoutAttributesForElements(in: rect) ?? []
      return all.filter { $0.representedElementCategory == category }.compactMap(\.indexPath)
    }
    for _ in 0..<100 {
      let frames = collectionViewLayout?.attributes(of: list).map(\.frame) ?? []
      if isHorizontal {
        // A header that is pinned is not where it would be the first.
        let length = collectionViewLayout?.length(of: list) ?? 0
        frame.size.width = max(frames.map(\.maxX).max() ?? 0, length.isFinite ? length : 0)
      } else {
        frame.size.height = frames.map(\.maxY).max() ?? 0
      }
      fitOffset()
      show(paths(in: visibleRect), of: list)
      guard measure() else { break }
    }
    let headers = paths(of: .supplementaryView, in: visibleRect)
    showHeaders(list, inSections: Set(headers.map(\.section)))
    let isMirrored = collectionViewLayout?.isMirrored == true
    let next = CGPoint(
      x: isHorizontal ? isMirrored ? -visibleRect.width : visibleRect.width : 0,
      y: isHorizontal ? 0 : visibleRect.height)
    prefetch(paths(in: visibleRect.offsetBy(dx: next.x, dy: next.y)), of: list)
  }

  private func show(_ visible: [IndexPath], of list: ShownList) {
    let ids = Set(visible.compactMap { list.id(at: $0.itemPath) })
    for (id, item) in items where !ids.contains(id) {
      items[id] = nil
      free(item)
    }
    for path in visible {
      guard let id = list.id(at: path.itemPath), items[id] == nil, let dataSource else { continue }
      let item = dataSource.collectionView(self, itemForRepresentedObjectAt: path)
      if item.identifier == nil { raise(.init("The item at \(path) was not made by the view.")) }
      items[id] = item
      addSubview(item.view)
    }
  }

  /// Measures the items on the screen; answers whether one has another height than before.
  private func measure() -> Bool {
    guard let fittingHeight else { return false }
    let former = heights
    for (id, item) in items { heights[id] = fittingHeight(item) }
    return heights != former
  }

  private func prefetch(_ near: [IndexPath], of list: ShownList) {
    guard let prefetchDataSource else { return }
    let (new, gone) = prefetched.update(
      near: near.map(\.itemPath), besides: items.keys, in: list)
    if !new.isEmpty {
      prefetchDataSource.collectionView(self, prefetchItemsAt: new.map(\.indexPath))
    }
    if !gone.isEmpty {
      prefetchDataSource.collectionView(self, cancelPrefetchingForItemsAt: gone.map(\.indexPath))
    }
  }

  private func showHeaders(_ list: ShownList, inSections visible: Set<Int>) {
    for (index, section) in list.sections.enumerated() {
      if !visible.contains(index) {
        headers[section.id] = nil
      } else if headers[section.id] == nil {
        headers[section.id] =
          dataSource?.collectionView(
            self, viewForSupplementaryElementOfKind: Self.elementKindSectionHeader,
            at: IndexPath(item: 0, section: index)) as? any NSView & NSCollectionViewElement
      }
    }
  }
}
