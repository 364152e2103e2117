import Diffable
public import DiffableLayout
public import DiffableViews

/// A list view in a terminal, for any compositional layout whose points are characters.
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
/// Cells are made for visible items only, and reused. What is on the screen stays there when the
/// list changes, as `Viewport` states it. A list that is scrolled to its beginning stays there.
///
/// One item may have the *focus*: keys move it, the list scrolls to it, and Enter selects it. The
/// focus belongs to the item, even if the item moves. If a change would move it off the screen, the
/// list scrolls along, unless it sticks to its end. Sections that scroll across the list follow the
/// focus.
///
/// The list reports to the content which items may soon be visible: items on the next screen in the
/// last scroll direction, and on the next page of sections that scroll across it.
@MainActor
public final class TerminalList {
  /// What the list shows; not held.
  public weak var content: (any ListContent<TerminalCell, TerminalCell>)?
  /// Called when ``lines`` have changed.
  public var changeHandler: (@MainActor () -> Void)?

  /// The size of the list.
  public var size: TerminalSize {
    get { arrangement.size }
    set {
      guard newValue != size else { return }
      arrangement.size = newValue
      layOutAnew()
    }
  }

  /// The layout of cells and headers; one point is one character.
  public var layout: CompositionalLayout {
    get { arrangement.layout }
    set {
      guard newValue != layout else { return }
      arrangement.layout = newValue
      layOutAnew()
    }
  }

  /// The error of the layout; while there is one, the list shows it and no items.
  public var layoutError: LayoutError? { arrangement.error }

  /// Draws the layout's decorations, by kind; other kinds are not drawn.
  public var decorations: [String: TerminalCell.Drawing] = [:] {
    didSet { changeHandler?() }
  }

  /// Whether an item can have the focus; otherwise the keys scroll.
  public var allowsFocus = true {
    didSet { if !allowsFocus { removeFocus() } }
  }

  /// Whether Enter leaves other items selected.
  public var allowsMultipleSelection = false

  /// How long change marks and ghosts are shown; `nil` (the default) shows none.
  ///
  /// Marks expire by themselves. Changes that are not animated are not marked.
  public var changeMarkDuration: Duration?

  /// What is visible, in rows, or in columns if the list scrolls sideways.
  ///
  /// The list scrolls itself; set only `sticksToEnd`.
  public var viewport = Viewport()

  // The list queries the content and updates its parts; the parts do not know the content.
  let arrangement: Arrangement
  var offsets = SectionOffsets()
  let visible = VisibleCells()
  var selection = SelectedItems()
  var focus = Focus() {
    didSet { viewport.focus = focus.path }
  }
  var marks = ChangeMarks()
  let clock: ExpiryClock
  var prefetching = Prefetching()

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - size: The size of the list.
  ///   - layout: The layout of cells and headers; one point is one character.
  public convenience init(size: TerminalSize, layout: CompositionalLayout) {
    self.init(size: size, layout: layout, now: nil)
  }

  /// Creates an empty list with a time of its own, for ``changeMarkDuration``.
  ///
  /// The list does not notice that this time has changed: `expireChangeMarks()` has to be called.
  package init(
    size: TerminalSize, layout: CompositionalLayout,
    now: (@MainActor () -> ContinuousClock.Instant)?
  ) {
    arrangement = Arrangement(size: size, layout: layout)
    viewport.resize(to: arrangement.visibleLength)
    clock = ExpiryClock(time: now)
  }

  /// Creates an empty list with one row for each item.
  ///
  /// - Parameters:
  ///   - size: The size of the list.
  ///   - headerKind: The kind of the row above each section; `nil` for no such row.
  public convenience init(size: TerminalSize, headerKind: String? = nil) {
    self.init(size: size, layout: .rows(headerKind: headerKind))
  }
}
