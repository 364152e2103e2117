public import Diffable

/// The visible part of a list: what is in it, and what stays in it while the list changes.
///
/// A viewport computes the scroll position of a list view. It knows no view, and no sizes but those
/// that the view's host reports. All lengths are in units of the host, such as points or lines of a
/// terminal, along the axis on which the list scrolls.
///
/// A host has one viewport, reports what happens to it, and obeys:
///
/// 1. *Events.* ``hold(_:)`` for a change of the list, and to show a certain row. ``scroll(to:)`` if the
///    user scrolls. ``resize(to:)`` if the view gets another length.
/// 2. *Settling.* The host calls ``settle(contentLength:covered:span:)``, shows what is in the
///    ``visibleRange``, and measures the rows there whose size is only estimated. If any size
///    changes, it settles again.
/// 3. *Rest.* If nothing changes any more, it calls ``rest(rows:covered:)``. From then on these rows stay
///    in place.
///
/// ```swift
/// viewport.hold(stage.anchor)
/// repeat {
///   viewport.settle(contentLength: layout.length) { layout.span(ofRowAt: $0) }
///   showRows(in: viewport.visibleRange)
/// } while measureNewRows()
/// viewport.rest(rows: visibleRows)
/// ```
///
/// The laws, for rows of any length, also if lengths are estimated first and measured later:
///
/// 1. Rows that a change does not move do not move. Of the visible rows, those that keep their order
///    and their section stay at their places on the screen, as far as there is content around them.
///    If rows between them change, the first one stays. It is a row that no header covers. The
///    focused row comes before all others, even if the change moves it.
/// 2. A row that is measured again stays visible, with the line that was at the top, or with the last
///    line that is left.
/// 3. If ``sticksToEnd`` is set, a list at its end stays there, whatever is appended, grows or
///    shrinks, and if the view is resized. A list that is scrolled away from its end is not moved.
/// 4. Scrolling passes every row: what is measured before the rows on the screen does not move them.
/// 5. If every visible row is deleted or moved away, the rows next to the gap become visible.
/// 6. A list at its beginning stays there, unless a change is to keep the rows in place.
/// 7. A view without length keeps its place, and so does one that headers cover completely. One that
///    becomes so long that it reaches the end of the list goes back when it becomes shorter again.
public struct Viewport: Hashable, Sendable {
  /// The distance from the start of the content to the start of the visible part.
  public private(set) var offset = 0.0
  /// The length of the visible part.
  public private(set) var length = 0.0
  /// The length of the content, as last reported.
  public private(set) var contentLength = 0.0
  /// The lengths at both ends of the visible part that pinned headers and footers cover at rest.
  public private(set) var covered = Covered()
  /// What stays in place.
  public private(set) var anchor = ListAnchor.start
  /// The visible rows, in the order of their places, as last reported.
  public private(set) var rows: [VisibleRow] = []
  /// Whether headers left room for rows, at rest; a view without room keeps its place.
  package private(set) var hasRoom = false
  /// Whether headers left room for rows, also in a view that scrolls by itself.
  private var showsOpenRows = false
  /// Whether the view was resized since it was last at rest.
  private var isResized = false
  /// What was in place before the view became so long that it shows the end of the list.
  private var formerPlace: ListAnchor?
  /// Whether the anchored row stays out from under headers if it becomes shorter, as it was before.
  private var isAnchorOpen = false
  /// The row that the user works with, if there is one.
  public var focus: ItemPath?
  /// Whether a list that is scrolled to its end stays there.
  public var sticksToEnd = false {
    didSet {
      guard sticksToEnd != oldValue else { return }
      (anchor, formerPlace) = (restingAnchor, nil)
    }
  }

  /// Lengths at both ends of the visible part, in which rows are covered.
  public struct Covered: Hashable, Sendable {
    /// The length at the start.
    public var start: Double
    /// The length at the end.
    public var end: Double

    /// Creates two lengths.
    public init(start: Double = 0, end: Double = 0) {
      (self.start, self.end) = (start, end)
    }

    /// Widens both lengths to those of another value, if these are greater.
    package mutating func formUnion(_ other: Covered) {
      (start, end) = (max(start, other.start), max(end, other.end))
    }
  }

  /// Creates the viewport of an empty list.
  public init(length: Double = 0) {
    self.length = length
  }

  /// The visible part of the content; rows there need a measured size.
  public var visibleRange: Range<Double> { offset..<offset + length }

  /// Whether the list is scrolled to its beginning.
  public var isAtStart: Bool { offset <= Self.tolerance }
  /// Whether the list is scrolled to its end.
  public var isAtEnd: Bool { offset >= maximumOffset - Self.tolerance }

  /// The offset at the end of the content.
  var maximumOffset: Double { max(0, contentLength - length) }

  /// The distance that counts as none: views round offsets to pixels.
  private static let tolerance = 0.5
  /// The length of the part that stays visible of a row that became shorter.
  private static let line = 1.0

  /// Covered lengths that leave room for rows; none if there is no room.
  private func open(_ covered: Covered) -> Covered {
    covered.start + covered.end < length ? covered : Covered()
  }

  /// Whether a pinned header or footer covers a row completely.
  package func isCovered(_ row: VisibleRow) -> Bool {
    row.span.upperBound <= offset + covered.start
      || row.span.lowerBound >= offset + length - covered.end
  }
}

// MARK: Events

extension Viewport {
  /// Records another length of the visible part; what is in place stays there.
  public mutating func resize(to length: Double) {
    guard max(0, length) != self.length else { return }
    self.length = max(0, length)
    isResized = true
    if let formerPlace { anchor = formerPlace }
  }

  /// Records what is to stay in place, or to be shown.
  public mutating func hold(_ anchor: ListAnchor) {
    (self.anchor, formerPlace, isResized) = (anchor, nil, false)
    guard case .row(_, let distance) = anchor, hasRoom else { return }
    // Its path is a new one, but it is where it was.
    isAnchorOpen =
      showsOpenRows
      && rows.contains {
        $0.span.lowerBound - offset == distance && !isCovered($0)
      }
  }

  /// Forgets the visible rows, whose paths are those of an earlier state; what is in place stays.
  package mutating func forgetRows() { rows = [] }

  /// Records that the user has scrolled to an offset.
  ///
  /// A row that was visible before and still is then stays where the user has put it, while those
  /// around it are measured.
  ///
  /// - Parameter target: The offset; it is limited to the content.
  public mutating func scroll(to target: Double) {
    // A row that has just left the view at its end counts: those before it are measured.
    let row = rows.first {
      $0.span.upperBound > target && $0.span.lowerBound <= target + length
    }
    (isAnchorOpen, formerPlace, isResized) = (false, nil, false)
    if let row {
      // Beyond the limits as well: there may be more content than was estimated.
      anchor = .row(row.path, distance: row.span.lowerBound - target)
    } else if rows.isEmpty, target <= offset, case .row(let path, let distance) = anchor {
      // There were only headers.
      anchor = .row(path, distance: distance + offset - target)
    } else {
      anchor = .offset
    }
    offset = max(0, min(target, maximumOffset))
  }
}

// MARK: Settling

extension Viewport {
  /// Computes the offset for the current sizes; returns whether it has changed.
  ///
  /// - Parameters:
  ///   - contentLength: The current length of the content.
  ///   - covered: The lengths that pinned headers and footers cover where the row is shown.
  ///   - span: Returns the place of a row in the content; `nil` if there is no such row. It is
  ///     called for the anchored row only.
  @discardableResult
  public mutating func settle(
    contentLength: Double, covered: Covered = Covered(), span: (ItemPath) -> Range<Double>?
  ) -> Bool {
    self.contentLength = contentLength.isFinite ? contentLength : 0
    let former = offset
    offset = max(0, min(wantedOffset(open(covered), span), maximumOffset))
    return offset != former
  }

  private mutating func wantedOffset(
    _ covered: Covered, _ span: (ItemPath) -> Range<Double>?
  ) -> Double {
    switch anchor {
    case .start: return 0
    case .end: return maximumOffset
    case .offset, .row, .target: break
    }
    guard let path = anchor.path, let span = span(path) else { return offset }
    if case .target(_, .nearest) = anchor {
      anchor = nearestAnchor(showing: span, of: path, covered)
    }
    return offset(showing: span, covered)
  }

  /// The offset at which the anchored row is in place.
  private func offset(showing span: Range<Double>, _ covered: Covered) -> Double {
    let room = length - covered.start - covered.end
    let top = span.lowerBound - covered.start
    return switch anchor {
    case .start, .end, .offset: offset
    case .row(_, let distance): span.lowerBound - max(distance, lastLine(of: span, covered))
    case .target(_, .top), .target(_, .nearest): top
    case .target(_, .middle): min(top, (top - (room - span.length) / 2).rounded(.up))
    case .target(_, .bottom): min(top, span.upperBound - length + covered.end)
    }
  }

  /// The distance at which only the last line of a row is visible: one that became shorter keeps it.
  private func lastLine(of span: Range<Double>, _ covered: Covered) -> Double {
    (isAnchorOpen ? covered.start : 0) + min(0, Self.line - span.length)
  }

  /// The side at which a row comes into view, or its place if it is in view already.
  ///
  /// It stays at that side, however long it turns out to be.
  private func nearestAnchor(
    showing span: Range<Double>, of path: ItemPath, _ covered: Covered
  ) -> ListAnchor {
    let start = offset + max(covered.start, self.covered.start)
    let end = offset + length - max(covered.end, self.covered.end)
    let (isBefore, isAfter) = (span.lowerBound < start, span.upperBound > end)
    // A row that fills the view, or all of which is visible, is near enough.
    guard isBefore != isAfter else { return .row(path, distance: span.lowerBound - offset) }
    return .target(path, isBefore ? .top : .bottom)
  }

  /// Records that nothing changes any more, and the rows that are visible now.
  ///
  /// A viewport without length, or without room between headers, keeps its place.
  ///
  /// - Parameters:
  ///   - rows: The visible rows, in any order, with those that headers cover.
  ///   - covered: The lengths that pinned headers and footers cover.
  public mutating func rest(rows: [VisibleRow], covered: Covered = Covered()) {
    rest(rows, covered, keepsPlace: true)
  }

  /// - Parameter keepsPlace: Whether the anchored row is in place, even where it is not visible.
  private mutating func rest(_ rows: [VisibleRow], _ covered: Covered, keepsPlace: Bool) {
    let fits = covered.start + covered.end < length
    hasRoom = keepsPlace ? fits : length > 0
    showsOpenRows = fits
    self.covered = open(covered)
    self.rows = rows.sorted { ($0.span.lowerBound, $0.path) < ($1.span.lowerBound, $1.path) }
    if isResized, keepsPlace, length > 0 {
      switch anchor {
      case .start, .row: formerPlace = isAtEnd ? anchor : nil
      case .end, .offset, .target: formerPlace = nil
      }
      isResized = false
    }
    if hasRoom { isAnchorOpen = fits && rows.contains { !isCovered($0) } }
    // Where only headers are visible, the row that stays in place is beside them.
    let isBeside = !hasRoom || !isAnchorOpen && !isAtLimit
    if keepsPlace, length > 0, isBeside, case .row = anchor { return }
    anchor = restingAnchor
  }

  private var isAtLimit: Bool { isAtStart || sticksToEnd && isAtEnd }

  /// Records what a view shows that scrolls and measures by itself, and is at rest.
  ///
  /// If it is where it was settled, what is in place stays there. Otherwise its user has scrolled it.
  ///
  /// - Parameters:
  ///   - offset: The distance from the start of the content to the start of the visible part.
  ///   - length: The length of the visible part.
  ///   - contentLength: The length of the content.
  ///   - rows: The visible rows, in any order.
  ///   - covered: The lengths that pinned headers and footers cover.
  public mutating func observe(
    offset: Double, length: Double, contentLength: Double, rows: [VisibleRow],
    covered: Covered = Covered()
  ) {
    let (length, offset) = (max(0, length), offset.isFinite ? offset : 0)
    let isUnmoved = length == self.length && abs(offset - self.offset) <= Self.tolerance
    (self.offset, self.length) = (offset, length)
    self.contentLength = contentLength.isFinite ? contentLength : 0
    if !isUnmoved { (formerPlace, isResized) = (nil, false) }
    rest(rows, covered, keepsPlace: isUnmoved)
  }

  private var restingAnchor: ListAnchor {
    guard length > 0 else {
      // Nothing was shown yet: the list will open at its end.
      return sticksToEnd && anchor == .start && contentLength == 0 ? .end : anchor
    }
    if sticksToEnd, isAtEnd { return .end }
    if isAtStart { return .start }
    guard let row = rows.first(where: { !isCovered($0) }) ?? rows.first else { return anchor }
    return .row(row.path, distance: row.span.lowerBound - offset)
  }
}
