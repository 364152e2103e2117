import Diffable
import StandInSupport

extension UICollectionView {
  func layoutIsInvalid(_ context: UICollectionViewLayoutInvalidationContext) {
    if context.contentOffsetAdjustment != .zero {
      contentOffset.x += context.contentOffsetAdjustment.x
      contentOffset.y += context.contentOffsetAdjustment.y
    }
    setNeedsLayout()
  }

  func prepareLayout() {
    _ = belief.list
    guard !collectionViewLayout.isPrepared else { return }
    collectionViewLayout.isPrepared = true
    collectionViewLayout.prepare()
    contentSize = collectionViewLayout.collectionViewContentSize
  }

  /// Lays out what is visible, and measures what sizes itself until all sizes hold.
  func layOutViews() {
    for _ in 0..<100 {
      prepareLayout()
      fitOffset()
      prepareLayout()
      guard measure(showElements()) else { return prefetch() }
    }
    raise(.init("The layout does not come to rest: cells ask for sizes again and again."))
  }

  private typealias Shown = (
    view: UICollectionReusableView, attributes: UICollectionViewLayoutAttributes
  )

  private func showElements() -> [Shown] {
    let list = belief.list
    var missingCells = cells
    var missingViews = supplementaryViews
    var result: [Shown] = []
    for attributes in collectionViewLayout.layoutAttributesForElements(in: bounds) ?? [] {
      let path = attributes.indexPath
      switch attributes.representedElementCategory {
      case .cell:
        guard let id = list.id(at: path.itemPath) else {
          raise(.init("The layout has attributes for \(path), which does not exist."))
          continue
        }
        missingCells[id] = nil
        result.append((cell(id, at: path), attributes))
      case .supplementaryView:
        guard let kind = attributes.representedElementKind,
          let view = supplementaryView(kind, at: path, in: list, &missingViews)
        else { continue }
        result.append((view, attributes))
      case .decorationView: break
      }
    }
    prepared = nextItem(after: result.map { $0.attributes }, in: list)
    if let prepared, let path = list.path(of: prepared) {
      missingCells[prepared] = nil
      _ = cell(prepared, at: IndexPath(item: path.item, section: path.section))
    }
    for (id, cell) in missingCells {
      cells[id] = nil
      free(cell)
    }
    for (key, view) in missingViews {
      supplementaryViews[key] = nil
      free(view)
    }
    for (view, attributes) in result {
      view.frame = attributes.frame
      view.isHidden = attributes.isHidden
      view.apply(attributes)
    }
    return result
  }

  /// The item whose cell is made before it can be seen.
  private func nextItem(
    after shown: [UICollectionViewLayoutAttributes], in list: ShownList
  ) -> Int? {
    guard habits.contains(.preparesNextCell) else { return nil }
    let paths = shown.filter { $0.representedElementCategory == .cell }.map(\.indexPath.itemPath)
    return paths.max().flatMap(list.id(after:))
  }

  private func cell(_ id: Int, at path: IndexPath) -> UICollectionViewCell {
    if let cell = cells[id] { return cell }
    guard let dataSource else { fatalError("cells without a data source") }
    let cell = asking { dataSource.collectionView(self, cellForItemAt: path) }
    cell.isSelected = selected.contains(id)
    cells[id] = cell
    addSubview(cell)
    return cell
  }

  private func supplementaryView(
    _ kind: String, at path: IndexPath, in list: ShownList,
    _ missing: inout [SupplementaryKey: UICollectionReusableView]
  ) -> UICollectionReusableView? {
    guard let dataSource else { return nil }
    // What belongs to the layout as a whole has a path of one index.
    let isOfSection = path.count == 2 && list.sections.indices.contains(path.section)
    let key = SupplementaryKey(
      kind: kind, section: isOfSection ? list.sections[path.section].id : -1,
      item: path.last ?? 0)
    missing[key] = nil
    if let view = supplementaryViews[key] { return view }
    let view = asking {
      dataSource.collectionView(self, viewForSupplementaryElementOfKind: kind, at: path)
    }
    if let storeKey = view.storeKey, !storeKey.hasPrefix(kind + " ") {
      raise(.init("The view is used as \(kind), but was dequeued as \(storeKey)."))
    }
    supplementaryViews[key] = view
    addSubview(view)
    return view
  }

  /// Asks views what size they prefer; answers whether the layout wants to be made anew.
  private func measure(_ shown: [Shown]) -> Bool {
    for (view, attributes) in shown {
      let preferred = view.preferredLayoutAttributesFitting(attributes.duplicate())
      guard preferred.frame != attributes.frame,
        collectionViewLayout.shouldInvalidateLayout(
          forPreferredLayoutAttributes: preferred, withOriginalAttributes: attributes)
      else { continue }
      let context = collectionViewLayout.invalidationContext(
        forPreferredLayoutAttributes: preferred, withOriginalAttributes: attributes)
      collectionViewLayout.invalidateLayout(with: context)
      return true
    }
    return false
  }

  /// Tells of what lies within the next screen, and of what no longer does.
  private func prefetch() {
    guard let prefetchDataSource, let list = belief.shown else { return }
    let isHorizontal = contentSize.width > bounds.width && contentSize.height <= bounds.height
    let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
    let next = bounds.offsetBy(
      dx: isHorizontal ? isMirrored ? -bounds.width : bounds.width : 0,
      dy: isHorizontal ? 0 : bounds.height)
    let near = (collectionViewLayout.layoutAttributesForElements(in: next) ?? [])
      .filter { $0.representedElementCategory == .cell }.map(\.indexPath.itemPath)
    let (new, gone) = prefetched.update(near: near, besides: cells.keys, in: list)
    func indexPaths(_ paths: [ItemPath]) -> [IndexPath] {
      paths.map { IndexPath(item: $0.item, section: $0.section) }
    }
    if !new.isEmpty { prefetchDataSource.collectionView(self, prefetchItemsAt: indexPaths(new)) }
    if !gone.isEmpty {
      prefetchDataSource.collectionView(self, cancelPrefetchingForItemsAt: indexPaths(gone))
    }
  }
}
