public import Diffable

/// A kind of cells: how they are made, and how a cell shows an item.
///
/// Make a registration once and use it in a cell provider:
///
/// ```swift
/// let photos = CellRegistration<PhotoCell, Photo> { cell, path, photo in
///   cell.title = photo.title
/// }
/// let controller = ListController(host: host, following: source) { cells, path, photo in
///   try cells.dequeueConfiguredReusableCell(using: photos, for: path, item: photo)
/// }
/// ```
///
/// Each registration is a kind of its own. So make it outside the provider: cells of a registration
/// that is made for each call are never reused.
@MainActor
public struct CellRegistration<Cell: AnyObject, Item> {
  /// The key under which a host stores cells of this registration.
  package let kind: ReuseKind
  let configure: @MainActor (Cell, ItemPath, Item) -> Void

  /// Creates a kind of cells.
  ///
  /// - Parameters:
  ///   - make: Makes a cell. Omit it if the host can make one from the type alone.
  ///   - configure: Makes a cell show an item, whatever it showed before. The path is valid at this
  ///     moment only: do not keep it.
  public init(
    make: (@MainActor () -> Cell)? = nil,
    configure: @escaping @MainActor (_ cell: Cell, _ path: ItemPath, _ item: Item) -> Void
  ) {
    kind = ReuseKind(viewType: Cell.self, make: make)
    self.configure = configure
  }
}
