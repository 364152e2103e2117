import Diffable
import DiffableViews

/// A host of a view that scrolls and measures by itself.
///
/// Its viewport is what the view shows when it is at rest. The host reports what happens to the view
/// by ``follow()``. If the view has got another size, what was in place before stays there.
@MainActor
protocol ScrollingHost: ListHost {
  /// What was observed when the view was last at rest.
  var place: ScrolledPlace { get set }
  /// Where the view is scrolled to now.
  var scrollState: ScrollState { get }
  /// Whether a batch leaves rows in place, and not the offset.
  var keepsPosition: Bool { get }

  /// The place of a row in the content; `nil` if there is no such row.
  func span(of path: ItemPath) -> Range<Double>?
  /// The rows on the screen, and the lengths at both ends of the visible part that pinned views cover.
  func sight(in state: ScrollState) -> Sight
  /// Scrolls to an offset of the view at once, and lays out what is visible there.
  func scroll(toOrigin origin: Double)
  /// Ends an animated scroll where the view is now.
  func stopScrolling()
  /// Scrolls the section of a row across the view so that the row is visible; returns whether that
  /// was necessary.
  func revealAcross(_ path: ItemPath) -> Bool
}

/// Where the reader was when a view was last at rest.
struct ScrolledPlace {
  var viewport = Viewport()
  /// The state of the view then; `nil` if nothing was observed yet.
  var state: ScrollState?
  /// What a view should hold that could not show anything yet.
  var pending: ListAnchor?
  /// What the view is scrolling to with an animation.
  ///
  /// There is none in a view that does not report that it is scrolled: nobody would say when that is over.
  /// The first report may be one of this scroll.
  var goal: ListAnchor? {
    get { reportsScrolling ? destination : nil }
    set { destination = newValue }
  }
  private var destination: ListAnchor?
  /// Where the view was scrolled to since it was last at rest, before anything was measured there.
  var scrolled: ScrollState?
  /// Whether the host changes the view, which is not at rest meanwhile.
  var isBusy = false
  /// Whether the view reports that it is scrolled.
  ///
  /// A view whose delegate is another object may not.
  var reportsScrolling = false
}

extension ScrollingHost {
  func revealAcross(_ path: ItemPath) -> Bool { false }

  /// What is visible, and where the reader is.
  var currentViewport: Viewport {
    guard !place.isBusy else { return place.viewport }
    var viewport = place.viewport
    if let anchor = place.pending {
      viewport.hold(anchor)
      viewport.forgetRows()
      return viewport
    }
    let state = scrollState
    if isResized(state) {
      viewport.resize(to: state.length)
      return viewport
    }
    let sight = sight(in: state)
    viewport.observe(
      offset: state.offset, length: state.length, contentLength: state.contentLength,
      rows: sight.rows, covered: sight.covered)
    if let anchor = place.goal { viewport.hold(anchor) }
    return viewport
  }

  /// Changes what the program may set.
  func setViewport(_ viewport: Viewport) {
    place.viewport = viewport
    if place.pending != nil { place.pending = viewport.anchor }
  }

  /// Whether the view has another size than when it was last at rest.
  ///
  /// If it does not report that it is scrolled, it must have the same offset: otherwise the user may
  /// have scrolled since.
  private func isResized(_ state: ScrollState) -> Bool {
    guard let former = place.state,
      (state.width, state.height) != (former.width, former.height),
      // A view that has shown everything did not scroll, along whichever axis.
      state.isHorizontal == former.isHorizontal || former.contentLength <= former.length
    else { return false }
    // A view does not stay beyond the end of its content.
    let (edge, formerEdge) = (state.restingEdge, former.restingEdge)
    return place.reportsScrolling || abs(edge - formerEdge) < 1
      || edge < formerEdge && edge > state.contentLength - state.length - 1
  }

  /// Follows what has happened to the view: it was scrolled, or has got another size or other insets.
  func follow() {
    guard !place.isBusy, takesStages else { return }
    let state = scrollState
    if let anchor = place.pending {
      restoreOffset(after: place.state)
      hold(anchor)
    } else if isResized(state) {
      keepThroughResize()
    } else if isAtEndNoMore(state) {
      keep(place.goal ?? place.viewport.anchor)
    } else if let pushed = viewportOfPushedRows(state) {
      place.viewport = pushed
      scrollIntoPlace()
    } else {
      observe()
    }
  }

  /// Records that the view was scrolled, before it lays out and measures what has come into sight.
  func noteScroll() {
    guard !place.isBusy, place.scrolled == nil else { return }
    place.scrolled = scrollState
  }

  /// What the user has scrolled to, if rows that were visible before were pushed away from there.
  ///
  /// That happens if rows before them are measured. A view that has moved since corrects that by itself.
  private func viewportOfPushedRows(_ state: ScrollState) -> Viewport? {
    guard keepsPosition, place.goal == nil, let scrolled = place.scrolled,
      abs(state.restingEdge - scrolled.restingEdge) < 0.5 || state.offset == scrolled.offset,
      scrolled.offset >= 0
    else { return nil }
    var viewport = place.viewport
    viewport.scroll(to: scrolled.offset)
    // A row that runs from right to left was moved as its content got another length.
    if abs(state.offset - scrolled.offset) >= 0.5 { return viewport }
    guard scrolled.offset <= state.contentLength - state.length,
      case .row(let path, let distance) = viewport.anchor, let span = span(of: path),
      abs(span.lowerBound - scrolled.offset - distance) >= 0.5
    else { return nil }
    return viewport
  }

  /// Whether other insets have moved the end of the visible part away from the end of the list.
  private func isAtEndNoMore(_ state: ScrollState) -> Bool {
    place.viewport.anchor == .end && place.state.map { $0.insets != state.insets } ?? false
  }

  /// Keeps what was in place before the view got another size.
  private func keepThroughResize() {
    if let goal = place.goal { return hold(goal) }
    let former = place.state
    observe()
    if isHeld(place.viewport.anchor) { return scrollIntoPlace() }
    restoreOffset(after: former)
  }

  /// Records that the view is at rest.
  private func observe() {
    place.viewport = currentViewport
    (place.state, place.scrolled) = (scrollState, nil)
  }

  /// Lets the view show a change, and keeps what that leaves in place.
  func update(keeping anchor: ListAnchor, _ change: () -> Void) {
    observe()
    reload(keeping: anchor, change)
  }

  /// Lets the view show everything again; until then it cannot be asked what it shows.
  func reload(keeping anchor: ListAnchor, _ change: () -> Void) {
    place.isBusy = true
    forgetGoal()
    place.viewport.hold(anchor)
    change()
    place.isBusy = false
    keep(anchor)
  }

  /// Keeps what a change leaves in place.
  func keep(_ anchor: ListAnchor) {
    guard takesStages else {
      place.pending = anchor
      return
    }
    restoreOffset(after: place.state)
    if isHeld(anchor) { hold(anchor) } else { observe() }
  }

  /// Scrolls a row that runs from right to left back to its offset, if it or its view got another length.
  ///
  /// The view counts from the left, so the row was moved by that.
  private func restoreOffset(after former: ScrollState?) {
    let state = scrollState
    guard state.isMirrored, former.map(state.hasOtherLength(than:)) ?? true else { return }
    let offset = min(place.viewport.offset, state.contentLength - state.length)
    guard abs(state.offset - offset) >= 0.5 else { return }
    place.isBusy = true
    scroll(toOrigin: offset - state.insets.start)
    place.isBusy = false
  }

  /// Whether the host scrolls so that an anchor stays in place.
  private func isHeld(_ anchor: ListAnchor) -> Bool {
    switch anchor {
    case .start, .offset, .row: keepsPosition
    case .end, .target: true
    }
  }

  /// Scrolls so that an anchor is in place.
  func hold(_ anchor: ListAnchor) {
    place.pending = nil
    forgetGoal()
    observe()
    place.viewport.hold(anchor)
    scrollIntoPlace()
  }

  /// Ends an animated scroll before its goal.
  private func forgetGoal() {
    let isScrolling = place.goal != nil
    place.goal = nil
    if isScrolling { stopScrolling() }
  }

  /// Scrolls until what the viewport holds is in place: what comes into sight is measured meanwhile.
  private func scrollIntoPlace() {
    place.isBusy = true
    let target = place.viewport.anchor.target
    var covered = Viewport.Covered()
    var shown: Double?
    for _ in 0..<Self.mostSteps {
      let offset = settle(covered)
      let former = covered
      let isThere = isAt(offset, after: shown)
      if !isThere { scroll(toOrigin: offset - scrollState.insets.start) }
      shown = offset
      // A header that was pinned for a moment still counts, so this ends.
      covered.formUnion(sight(in: scrollState).covered)
      let isRevealed = target.map(revealAcross) ?? false
      guard !isThere || isRevealed || covered != former else { break }
    }
    place.isBusy = false
    observe()
  }

  /// Whether the view is at an offset.
  ///
  /// A view rounds the offset that it is given to pixels. A layout may change it again if it measures
  /// rows.
  private func isAt(_ offset: Double, after shown: Double?) -> Bool {
    let current = scrollState.offset
    // A view that the user pulls beyond its beginning returns by itself.
    if offset <= 0, current < 0 { return true }
    return offset == shown ? abs(current - offset) < 0.5 : current == offset
  }

  /// A view measures something in each step; this many are a defect of the view.
  private static var mostSteps: Int { 64 }

  /// Prepares an animated scroll to an anchor.
  ///
  /// It leads to where the row is as far as its size and those before it are known. When it is over,
  /// the view scrolls to where the row really is.
  ///
  /// - Returns: The offset of the view to which it leads; `nil` if the view is there.
  func beginScrolling(to anchor: ListAnchor) -> Double? {
    place.viewport = currentViewport
    place.viewport.hold(anchor)
    let origin = settle(place.viewport.covered) - scrollState.insets.start
    guard abs(origin - scrollState.origin) > 0.5 else {
      hold(anchor)
      return nil
    }
    place.goal = place.viewport.anchor
    return origin
  }

  /// Ends an animated scroll at its goal.
  func didEndScrollingAnimation() {
    guard let anchor = place.goal else { return }
    hold(anchor)
  }

  /// Lets the user scroll away from the goal of an animated scroll.
  func willBeginDragging() {
    place.goal = nil
    follow()
  }

  /// The offset of the visible part at which the anchor is in place.
  func settle(_ covered: Viewport.Covered = Viewport.Covered()) -> Double {
    let state = scrollState
    // The place is read while the view is asked for rows.
    var viewport = place.viewport
    viewport.resize(to: state.length)
    viewport.settle(contentLength: state.contentLength, covered: covered, span: span(of:))
    place.viewport = viewport
    return viewport.offset
  }
}

extension ListAnchor {
  /// The row that is to be shown; `nil` for what stays in place.
  var target: ItemPath? {
    if case .target(let path, _) = self { path } else { nil }
  }
}
