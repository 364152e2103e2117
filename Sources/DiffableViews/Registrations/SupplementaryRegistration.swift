public import Diffable

/// How supplementary views of one kind are made, and how one is made to show a model.
///
/// ```swift
/// let titles = SupplementaryRegistration<TitleView, Album>(elementKind: "header") {
///   view, path, album in
///   view.title = album.name
/// }
/// controller.supplementaryProviders["header"] = { views, path, section in
///   try views.dequeueConfiguredReusableSupplementary(
///     using: titles, for: path, model: store.album(of: section))
/// }
/// ```
@MainActor
public struct SupplementaryRegistration<View: AnyObject, Model> {
  /// What a host keeps views of this registration by.
  public let kind: ReuseKind
  let configure: @MainActor (View, ItemPath, Model) -> Void

  /// Creates a kind of supplementary views.
  ///
  /// - Parameters:
  ///   - elementKind: What the layout calls such views.
  ///   - make: Makes a view. Leave it out where the host can make one of the type alone.
  ///   - configure: Makes a view show a model, whatever it showed before. The path is that of the
  ///     moment; its item counts the views of this kind in the section.
  public init(
    elementKind: String, make: (@MainActor () -> View)? = nil,
    configure: @escaping @MainActor (_ view: View, _ path: ItemPath, _ model: Model) -> Void
  ) {
    kind = ReuseKind(elementKind: elementKind, viewType: View.self, make: make)
    self.configure = configure
  }
}
