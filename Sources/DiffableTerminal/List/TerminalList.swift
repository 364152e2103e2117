import Diffable
public import DiffableLayout
public import DiffableViews

/// A list view in a terminal, on any compositional layout whose points are characters.
///
/// Make it the host of a `ListController` and draw ``lines`` whenever ``changeHandler`` is called:
///
/// ```swift
/// let list = TerminalList(size: terminal.size, headerKind: "header")
/// let controller = ListController<String, Int, TerminalList>(host: list) { cells, path, item in
///   try cells.dequeueConfiguredReusableCell(using: rows, for: path, item: item)
/// }
/// list.changeHandler = { draw(Screen(size: terminal.size, lines: list.lines)) }
/// ```
///
/// Cells are made for what is visible only, and used again once they have left. A list that is
/// scrolled keeps its first item in its place; one that shows its beginning goes on doing so.
///
/// One item may have the *focus*: the keys move it, the list scrolls after it, and Enter selects
/// it. It belongs to the item, wherever that moves, and a change that would take it off the screen
/// takes the list along. Sections that scroll across the list do so with the focus.
///
/// The content is told what may soon be in sight: the next screen where the list was scrolled last, and
/// the next page of sections that scroll across it.
@MainActor
public final class TerminalList {
  /// Whom the list asks; not held.
  public weak var content: (any ListContent<TerminalCell, TerminalCell>)?
  /// Is called when ``lines`` have changed.
  public var changeHandler: (@MainActor () -> Void)?

  /// The room that the list may take.
  public var size: TerminalSize {
    get { arrangement.size }
    set {
      guard newValue != size else { return }
      arrangement.size = newValue
      layOutAnew()
    }
  }

  /// Where cells and headers go; one point is one character.
  public var layout: CompositionalLayout {
    get { arrangement.layout }
    set {
      guard newValue != layout else { return }
      arrangement.layout = newValue
      layOutAnew()
    }
  }

  /// What is wrong with the layout; the list shows this and no items as long as it is.
  public var layoutError: LayoutError? { arrangement.error }

  /// Draws what the layout calls decorations, by kind; those that are not named are not drawn.
  public var decorations: [String: TerminalCell.Drawing] = [:] {
    didSet { changeHandler?() }
  }

  /// Whether an item can have the focus; without it the keys scroll.
  public var allowsFocus = true {
    didSet { if !allowsFocus { removeFocus() } }
  }

  /// Whether Enter leaves other items selected.
  public var allowsMultipleSelection = false

  /// How long an item shows what has happened to it, and how long one that is gone stays; `nil`, as
  /// it is unless you set it, for not at all.
  ///
  /// Marks end by themselves. What is not to be animated is not marked.
  public var changeMarkDuration: Duration?

  /// How far the list is scrolled, in rows, or in columns where it scrolls sideways.
  public internal(set) var position = ScrollPosition()

  // The list asks the content and tells its parts; none of them knows the content.
  let arrangement: Arrangement
  var offsets = SectionOffsets()
  let visible = VisibleCells()
  var selection = SelectedItems()
  var focus = Focus()
  var marks = ChangeMarks()
  let clock: ExpiryClock
  var prefetching = Prefetching()

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - size: The room that the list may take.
  ///   - layout: Where cells and headers go; one point is one character.
  ///   - now: What time it is, for ``changeMarkDuration``. A test can pass a time that it moves itself;
  ///     it has to call ``expireChangeMarks()`` then, as nobody else knows when that has moved.
  public init(
    size: TerminalSize, layout: CompositionalLayout,
    now: (@MainActor () -> ContinuousClock.Instant)? = nil
  ) {
    arrangement = Arrangement(size: size, layout: layout)
    clock = ExpiryClock(time: now)
  }

  /// Creates an empty list of one row for each item.
  ///
  /// - Parameters:
  ///   - size: The room that the list may take.
  ///   - headerKind: The kind of the row above each section; `nil` for no such row.
  public convenience init(size: TerminalSize, headerKind: String? = nil) {
    self.init(size: size, layout: .rows(headerKind: headerKind))
  }
}
