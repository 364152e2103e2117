#if canImport(UIKit) && !os(watchOS)
import Diffable
public import DiffableLayout
import DiffableViews
public import UIKit

/// A compositional layout of `DiffableLayout` as the layout of a `UICollectionView`.
///
/// ```swift
/// let layout = DiffableCollectionViewLayout(CompositionalLayout(sections: [banner, shelf]))
/// let collectionView = UICollectionView(frame: .zero, collectionViewLayout: layout)
/// ```
///
/// Cells and headers with estimated sizes size themselves, and headers are pinned. An update keeps
/// the parts of the layout that stay valid, as the host of the view passes the changes to the
/// layout. If the view gets another safe area or other margins, views that stay as wide as they are keep their
/// measured heights. In another size, all are measured again.
///
/// A layout only determines where views are. It cannot put scroll views into a collection view, as
/// Apple's compositional layout does for orthogonal sections. So here the offset of such a section
/// is state of the layout, and a gesture of the app sets it, see ``scrollSection(_:to:)``.
@MainActor
public final class DiffableCollectionViewLayout: UICollectionViewLayout {
  /// The description of the layout.
  ///
  /// A new one is laid out at once; set it inside `UIView.animate` to animate the change.
  public var layout: CompositionalLayout {
    didSet { invalidateLayout() }
  }

  /// Called if the layout cannot be solved: the view is empty then.
  ///
  /// It is also called if a cell or a header wants a size that it cannot have: it keeps the one that it has.
  public var errorHandler: ((LayoutError) -> Void)?

  /// The layout of what the view shows; `nil` before there is one, and after an error.
  public internal(set) var solved: SolvedLayout?

  /// The parts of ``solved`` that are still valid.
  enum Validity: Comparable {
    case nothing
    /// Everything but the number of items.
    case sizes
    case everything
  }

  var validity = Validity.nothing
  /// The offsets of orthogonal sections.
  var offsets = SectionOffsets()
  /// The changes of the current update, until it is laid out.
  private var announced: SnapshotDifference?
  /// Whether the view shows everything from scratch, until it is laid out.
  private var isReset = false

  /// Creates a layout from its description.
  public init(_ layout: CompositionalLayout) {
    self.layout = layout
    super.init()
  }

  /// Returns `nil`: a layout is created in code and not archived.
  public required init?(coder: NSCoder) { return nil }

  /// The type of invalidations, which adds information to the view's own type.
  public override class var invalidationContextClass: AnyClass { LayoutContext.self }

  /// Records the changes of the current update; `nil` if the view shows everything from scratch.
  func announce(_ difference: SnapshotDifference?) {
    (announced, isReset) = (difference, difference == nil)
    if isReset { offsets.findAgain(in: content) }
  }

  /// Chooses what stays in place in scrolled sections during a batch that is about to be shown.
  func holdOffsets(through difference: SnapshotDifference) {
    guard !offsets.isEmpty, let content else { return }
    // Before a reset is laid out, nothing is visible of what the view is to show.
    if !isReset, let solved, let scrollState {
      offsets.rest(in: solved, scrollState.visibleBounds, content)
    }
    offsets.hold(through: difference, in: content)
  }

  /// Lays out what the view shows now, unless the layout is still valid.
  ///
  /// - Complexity: O(sections + slots of their groups) from scratch; for an update, the cost of
  ///   `SolvedLayout.updated(by:itemCounts:)`. If the safe area or the margins are others, O(m · log n) more
  ///   for m measured sizes of n items.
  public override func prepare() {
    super.prepare()
    guard let collectionView else { return }
    let environment = LayoutEnvironment(of: collectionView)
    if validity > .nothing { fit(to: environment) }
    layOut(collectionView, in: environment)
  }

  /// Fits the layout to the space that other bars or margins leave, and keeps measured sizes.
  ///
  /// With estimates instead, the rows on the screen would jump: a host corrects that only when the view is
  /// scrolled or resized.
  private func fit(to environment: LayoutEnvironment) {
    guard let former = solved, !former.environment.isSameSpace(as: environment) else { return }
    guard former.environment.container == environment.container,
      let fitting = try? former.updated(in: environment)
    else {
      // It is laid out from scratch, and an error is reported then.
      validity = .nothing
      return
    }
    solved = fitting
    settleOffsets()
  }

  /// Lays out the changes of the update, unless the view has already reported different counts.
  ///
  /// The view reports them when something is inserted or deleted; for moves Apple's documentation
  /// does not say so.
  public override func prepare(
    forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]
  ) {
    super.prepare(forCollectionViewUpdates: updateItems)
    guard announced != nil, let collectionView else { return }
    validity = min(validity, .sizes)
    layOut(collectionView, in: LayoutEnvironment(of: collectionView))
  }

  /// Records that the update is over.
  public override func finalizeCollectionViewUpdates() {
    super.finalizeCollectionViewUpdates()
    announced = nil
  }

  private func layOut(_ collectionView: UICollectionView, in environment: LayoutEnvironment) {
    guard validity < .everything else { return }
    let difference = announced ?? SnapshotDifference()
    announced = nil
    moveOffsets(by: difference, from: solved?.itemCounts ?? [])
    let itemCounts = (0..<collectionView.numberOfSections).map {
      collectionView.numberOfItems(inSection: $0)
    }
    do throws(LayoutError) {
      if validity == .sizes, let solved {
        self.solved = try solved.updated(by: difference, itemCounts: itemCounts)
      } else {
        solved = try layout.solve(itemCounts: itemCounts, in: environment)
      }
      validity = .everything
      settleOffsets()
    } catch {
      solved = nil
      validity = .nothing
      errorHandler?(error)
    }
  }

  /// Moves scrolled sections by a change; a reset has moved them already.
  private func moveOffsets(by difference: SnapshotDifference, from itemCounts: [Int]) {
    if !isReset, !offsets.isEmpty {
      offsets.follow(difference, PositionMap(difference), itemCounts: itemCounts)
    }
    isReset = false
  }

  /// The size of the content.
  public override var collectionViewContentSize: CGSize {
    solved.map { CGSize($0.contentSize) } ?? .zero
  }

  /// Records what has to be laid out or measured again.
  public override func invalidateLayout(
    with context: UICollectionViewLayoutInvalidationContext
  ) {
    if context.invalidateEverything {
      validity = .nothing
    } else if context.invalidateDataSourceCounts {
      validity = min(validity, .sizes)
    }
    // A view may also name what it has just measured; discarding that would measure it forever.
    let isMeasurement = (context as? LayoutContext)?.isMeasurement == true
    if !isMeasurement, let paths = context.invalidatedItemIndexPaths {
      var estimates: [LayoutPath: LayoutExtent?] = [:]
      for path in paths { estimates.updateValue(nil, forKey: LayoutPath(path)) }
      do throws(LayoutError) {
        try solved?.takeIfMeasured(estimates)
      } catch {
        // They are too long together with the sizes of others.
        validity = .nothing
      }
    }
    super.invalidateLayout(with: context)
  }

  /// Returns whether the new bounds require a new layout.
  ///
  /// They do if the size, the safe area or the margins change, or if something is pinned or changes
  /// while scrolling.
  public override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    guard let solved, let collectionView else { return true }
    var environment = LayoutEnvironment(of: collectionView)
    environment.container = LayoutContainer(contentSize: LayoutExtent(newBounds.size))
    return !solved.environment.isSameSpace(as: environment) || solved.dependsOnScrolling
  }

  /// Lays out again if the safe area or the margins of the view have changed.
  ///
  /// A layout is asked only when the bounds change. The host calls this when the view reports other
  /// insets to its delegate. If these stay the same, call it in `viewSafeAreaInsetsDidChange()` and
  /// `viewLayoutMarginsDidChange()` of a view controller.
  public func invalidateLayoutIfSpaceChanged() {
    guard let solved, let collectionView,
      !solved.environment.isSameSpace(as: LayoutEnvironment(of: collectionView))
    else { return }
    invalidateLayout(with: LayoutContext())
  }

  // MARK: Elements

  /// The attributes of everything that intersects a rectangle.
  ///
  /// - Complexity: O(log sections + log groups) and the slots of the groups that intersect the
  ///   rectangle.
  public override func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? {
    solved?.elements(in: LayoutRect(rect), scrolled: scrollState, rule: .uiKit).map {
      UICollectionViewLayoutAttributes($0)
    }
  }

  /// The attributes of a cell, scrolled and pinned as all others; `nil` if there is no such item.
  ///
  /// - Complexity: O(log sections + log measured groups). If a handler changes visible items of the
  ///   section, also the slots of its visible groups.
  public override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    attributes(for: .item(section: indexPath.section, item: indexPath.item))
  }

  /// The attributes of a header, a footer or a badge.
  ///
  /// - Complexity: As ``layoutAttributesForItem(at:)``.
  public override func layoutAttributesForSupplementaryView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    attributes(for: .supplementary(kind: elementKind, LayoutPath(indexPath)))
  }

  /// The attributes of a view that belongs to no item.
  public override func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    attributes(for: .decoration(kind: elementKind, LayoutPath(indexPath)))
  }

  // MARK: Self-sizing views

  /// Returns whether a view prefers another size on an axis that it may choose, and can have that size.
  public override func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> Bool {
    guard let element = LayoutElement(preferredAttributes),
      let proposal = solved?.sizeProposal(for: element)
    else { return false }
    let size = preferredAttributes.size
    // A view is as long as its longest sibling if all share a length, whatever it wanted.
    let known = solved?.measuredSize(of: element) ?? proposal.size
    // Rounding to pixels can cause a difference of less than a hundredth of a point. A negative length is none.
    func differs(_ wanted: CGFloat, _ given: Double) -> Bool {
      abs(max(0, Double(wanted)) - given) > 0.01
    }
    let isOther =
      proposal.measuresWidth && differs(size.width, known.width)
      || proposal.measuresHeight && differs(size.height, known.height)
    return isOther && canHave(LayoutExtent(size), element)
  }

  /// Whether a view can have a size; otherwise it would be asked for it again and again.
  private func canHave(_ size: LayoutExtent, _ element: LayoutElement) -> Bool {
    // Any number of such sizes fit. What is not a number is not among them.
    if abs(size.width) <= 0x1p256, abs(size.height) <= 0x1p256 { return true }
    var trial = solved
    do throws(LayoutError) {
      try trial?.setMeasuredSize(size, of: element)
      return true
    } catch {
      errorHandler?(error)
      return false
    }
  }

  /// Applies the size that a view prefers; what is where the view begins stays there.
  public override func invalidationContext(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutInvalidationContext {
    let context = super.invalidationContext(
      forPreferredLayoutAttributes: preferredAttributes,
      withOriginalAttributes: originalAttributes)
    (context as? LayoutContext)?.isMeasurement = true
    guard let before = solved?.contentSize, let former = viewState(before),
      let element = LayoutElement(preferredAttributes)
    else { return context }
    // A host keeps the rows in place that its user has scrolled.
    let host = (collectionView?.dataSource as? CollectionViewHost.DataSource)?.host
    let anchors = former.origin > 0 && host?.keepsScrolledRows != true
    do throws(LayoutError) {
      let change = try solved?.setMeasuredSize(
        LayoutExtent(preferredAttributes.size), of: element,
        anchor: anchors ? .offset(former.origin) : .none)
      settleOffsets()
      guard let change, let state = viewState(change.contentSize) else { return context }
      let growth = CGSize(
        width: change.contentSize.width - before.width,
        height: change.contentSize.height - before.height)
      var correction = CGPoint(x: change.scrollCorrection.x, y: change.scrollCorrection.y)
      if state.isMirrored {
        // What only fills the view from its left edge does not scroll it.
        correction.x -= growth.width - CGFloat(state.contentLength - former.contentLength)
      }
      // Nor does the view leave its content.
      let least = min(0, -CGFloat(former.restingEdge))
      context.contentOffsetAdjustment = CGPoint(
        x: max(correction.x, least), y: max(correction.y, least))
      context.contentSizeAdjustment = growth
    } catch {
      errorHandler?(error)
    }
    return context
  }

  /// Where the view is scrolled to, in content of a size.
  private func viewState(_ contentSize: LayoutExtent) -> ScrollState? {
    collectionView.map {
      ScrollState(
        of: $0, contentSize: CGSize(contentSize),
        isHorizontal: layout.configuration.scrollDirection == .horizontal,
        isMirrored: isRightToLeft)
    }
  }

  /// Whether the content is laid out for reading from right to left.
  var isRightToLeft: Bool { solved?.environment.direction == .rightToLeft }
}
#endif
