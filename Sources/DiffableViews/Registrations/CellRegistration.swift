public import Diffable

/// How cells of one kind are made, and how one is made to show an item.
///
/// Make a registration once and use it in a cell provider:
///
/// ```swift
/// let photos = CellRegistration<PhotoCell, Photo> { cell, path, photo in
///   cell.title = photo.title
/// }
/// let controller = ListController<Section, Photo.ID, Host>(host: host) { cells, path, id in
///   try cells.dequeueConfiguredReusableCell(using: photos, for: path, item: store[id])
/// }
/// ```
///
/// Each registration is a kind of its own: one that is made inside the provider, for every cell
/// anew, never gives a cell back to use.
@MainActor
public struct CellRegistration<Cell: AnyObject, Item> {
  /// What a host keeps cells of this registration by.
  public let kind: ReuseKind
  let configure: @MainActor (Cell, ItemPath, Item) -> Void

  /// Creates a kind of cells.
  ///
  /// - Parameters:
  ///   - make: Makes a cell. Leave it out where the host can make one of the type alone.
  ///   - configure: Makes a cell show an item, whatever it showed before. The path is that of the
  ///     moment: do not keep it.
  public init(
    make: (@MainActor () -> Cell)? = nil,
    configure: @escaping @MainActor (_ cell: Cell, _ path: ItemPath, _ item: Item) -> Void
  ) {
    kind = ReuseKind(viewType: Cell.self, make: make)
    self.configure = configure
  }
}
