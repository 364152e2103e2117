#if canImport(UIKit) && !os(watchOS)
import Diffable
public import DiffableLayout
import DiffableViews
public import UIKit

/// A compositional layout of `DiffableLayout` as the layout of a `UICollectionView`.
///
/// ```swift
/// let layout = DiffableCollectionViewLayout(CompositionalLayout { banner; shelf })
/// let collectionView = UICollectionView(frame: .zero, collectionViewLayout: layout)
/// ```
///
/// Cells and headers with estimated sizes size themselves, headers are pinned, and an update keeps what
/// it leaves valid: the host of the view tells the layout what changes.
///
/// A layout only says where views are. It cannot put scroll views into a collection view, as Apple's
/// compositional layout does for orthogonal sections. So here the offset of such a section is state of
/// the layout, which a gesture of the program sets, see ``scrollSection(_:to:)``.
@MainActor
public final class DiffableCollectionViewLayout: UICollectionViewLayout {
  /// The description of the layout.
  ///
  /// A new one is laid out at once; wrap that in `UIView.animate` to let it be seen.
  public var layout: CompositionalLayout {
    didSet { invalidateLayout() }
  }

  /// Is told why nothing can be laid out; the view is empty then.
  public var errorHandler: ((LayoutError) -> Void)?

  /// The layout of what the view shows; `nil` before there is one, and after an error.
  public internal(set) var solved: SolvedLayout?

  /// What of ``solved`` can still be relied on.
  enum Validity: Comparable {
    case nothing
    /// All but the number of items.
    case sizes
    case everything
  }

  var validity = Validity.nothing
  /// The offsets of orthogonal sections that were scrolled.
  var offsets: [Int: Double] = [:]
  /// What the update under way changes, until it is laid out.
  private var announced: SnapshotDifference?

  /// Creates a layout from its description.
  public init(_ layout: CompositionalLayout) {
    self.layout = layout
    super.init()
  }

  /// Gives nothing: a layout is made by code and is not archived.
  public required init?(coder: NSCoder) { return nil }

  /// Says what an invalidation is about, besides what the view says.
  public override class var invalidationContextClass: AnyClass { LayoutContext.self }

  /// Takes note of what the update under way changes; `nil` for nothing.
  func announce(_ difference: SnapshotDifference?) { announced = difference }

  /// Lays out what the view shows now, as far as that is not known.
  ///
  /// - Complexity: O(sections + slots of their groups) from scratch; an update costs what
  ///   `SolvedLayout.updated(by:itemCounts:)` says.
  public override func prepare() {
    super.prepare()
    guard let collectionView else { return }
    let environment = LayoutEnvironment(of: collectionView)
    if let solved, !solved.environment.isSameSpace(as: environment) { validity = .nothing }
    layOut(collectionView, in: environment)
  }

  /// Lays out what the update has changed, if the view has not said before that the counts are others.
  ///
  /// It says so when something comes or goes; of moves Apple's documentation does not say it.
  public override func prepare(
    forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]
  ) {
    super.prepare(forCollectionViewUpdates: updateItems)
    guard announced != nil, let collectionView else { return }
    validity = min(validity, .sizes)
    layOut(collectionView, in: LayoutEnvironment(of: collectionView))
  }

  /// Takes note that the update is over.
  public override func finalizeCollectionViewUpdates() {
    super.finalizeCollectionViewUpdates()
    announced = nil
  }

  private func layOut(_ collectionView: UICollectionView, in environment: LayoutEnvironment) {
    guard validity < .everything else { return }
    let difference = announced ?? SnapshotDifference()
    announced = nil
    let itemCounts = (0..<collectionView.numberOfSections).map {
      collectionView.numberOfItems(inSection: $0)
    }
    do throws(LayoutError) {
      if validity == .sizes, let solved {
        self.solved = try solved.updated(by: difference, itemCounts: itemCounts)
      } else {
        solved = try layout.solve(itemCounts: itemCounts, in: environment)
      }
      moveOffsets(by: difference)
      validity = .everything
    } catch {
      solved = nil
      validity = .nothing
      errorHandler?(error)
    }
  }

  /// Lets offsets stay with their sections.
  private func moveOffsets(by difference: SnapshotDifference) {
    guard !offsets.isEmpty else { return }
    let map = PositionMap(difference)
    offsets = Dictionary(
      uniqueKeysWithValues: offsets.compactMap { section, offset in
        map.newSection(forOld: section).map { ($0, offset) }
      })
  }

  /// The size of everything.
  public override var collectionViewContentSize: CGSize {
    solved.map { CGSize($0.contentSize) } ?? .zero
  }

  /// Takes note of what has to be laid out or measured again.
  public override func invalidateLayout(
    with context: UICollectionViewLayoutInvalidationContext
  ) {
    if context.invalidateEverything {
      validity = .nothing
    } else if context.invalidateDataSourceCounts {
      validity = min(validity, .sizes)
    }
    // A view may name what it has just measured as well; that would be forgotten and measured for ever.
    let isMeasurement = (context as? LayoutContext)?.isMeasurement == true
    for path in isMeasurement ? [] : context.invalidatedItemIndexPaths ?? [] {
      let element = LayoutElement.item(section: path.section, item: path.item)
      guard solved?.sizeProposal(for: element) != nil else { continue }
      // It can be measured, so it can be forgotten.
      _ = try? solved?.setMeasuredSize(nil, of: element)
    }
    super.invalidateLayout(with: context)
  }

  /// Answers whether the view has another size, safe area or other margins, or something is pinned or
  /// changes while it scrolls.
  public override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    guard let solved, let collectionView else { return true }
    var environment = LayoutEnvironment(of: collectionView)
    environment.container = LayoutContainer(contentSize: LayoutExtent(newBounds.size))
    return !solved.environment.isSameSpace(as: environment) || solved.dependsOnScrolling
  }

  /// Lays out anew if the safe area or the margins of the view are others.
  ///
  /// A layout is asked when the bounds change, and is not told of anything else. The host calls this where
  /// the view tells its delegate of other insets. Where these stay as they are, call it in
  /// `viewSafeAreaInsetsDidChange()` and `viewLayoutMarginsDidChange()` of a view controller.
  public func invalidateLayoutIfSpaceChanged() {
    guard let solved, let collectionView,
      !solved.environment.isSameSpace(as: LayoutEnvironment(of: collectionView))
    else { return }
    invalidateLayout()
  }

  // MARK: Elements

  /// Where everything is that a rectangle meets.
  ///
  /// - Complexity: O(log sections + log groups) and the slots of the groups that meet the rectangle.
  public override func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? {
    solved?.elements(in: LayoutRect(rect), scrolled: scrollState, rule: .uiKit).map {
      UICollectionViewLayoutAttributes($0)
    }
  }

  /// Where a cell is; `nil` where there is no such item.
  ///
  /// - Complexity: O(log sections + log measured groups).
  public override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    attributes(for: .item(section: indexPath.section, item: indexPath.item))
  }

  /// Where a header, a footer or a badge is.
  ///
  /// - Complexity: O(log sections + log measured groups), and for what is in sight that of asking for
  ///   everything in sight.
  public override func layoutAttributesForSupplementaryView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    attributes(for: .supplementary(kind: elementKind, LayoutPath(indexPath)))
  }

  /// Where a view is that belongs to no item.
  public override func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    attributes(for: .decoration(kind: elementKind, LayoutPath(indexPath)))
  }

  // MARK: Views that size themselves

  /// Answers whether a view wants another size on an axis that it chooses.
  public override func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> Bool {
    guard let element = LayoutElement(preferredAttributes),
      let proposal = solved?.sizeProposal(for: element)
    else { return false }
    let size = preferredAttributes.size
    // Less than a hundredth of a point is what rounding to pixels leaves.
    func differs(_ wanted: CGFloat, _ given: Double) -> Bool { abs(Double(wanted) - given) > 0.01 }
    return proposal.measuresWidth && differs(size.width, proposal.size.width)
      || proposal.measuresHeight && differs(size.height, proposal.size.height)
  }

  /// Takes over the size that a view wants; what is at the top of the view stays there.
  public override func invalidationContext(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutInvalidationContext {
    let context = super.invalidationContext(
      forPreferredLayoutAttributes: preferredAttributes,
      withOriginalAttributes: originalAttributes)
    (context as? LayoutContext)?.isMeasurement = true
    guard let collectionView, let before = solved?.contentSize,
      let element = LayoutElement(preferredAttributes)
    else { return context }
    let isVertical = layout.configuration.scrollDirection == .vertical
    let offset = isVertical ? collectionView.contentOffset.y : collectionView.contentOffset.x
    do throws(LayoutError) {
      let change = try solved?.setMeasuredSize(
        LayoutExtent(preferredAttributes.size), of: element,
        anchor: offset > 0 ? .offset(Double(offset)) : .none)
      guard let change else { return context }
      context.contentOffsetAdjustment = CGPoint(
        x: change.scrollCorrection.x, y: change.scrollCorrection.y)
      context.contentSizeAdjustment = CGSize(
        width: change.contentSize.width - before.width,
        height: change.contentSize.height - before.height)
    } catch {
      errorHandler?(error)
    }
    return context
  }
}
#endif
