public import Diffable

/// A kind of supplementary views: how they are made, and how a view shows a model.
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
  /// The key under which a host stores views of this registration.
  package let kind: ReuseKind
  let configure: @MainActor (View, ItemPath, Model) -> Void

  /// Creates a kind of supplementary views.
  ///
  /// - Parameters:
  ///   - elementKind: The layout's name for such views.
  ///   - make: Makes a view. Omit it if the host can make one from the type alone.
  ///   - configure: Makes a view show a model, whatever it showed before. The path is valid at this
  ///     moment only; its item counts the views of this kind in the section.
  public init(
    elementKind: String, make: (@MainActor () -> View)? = nil,
    configure: @escaping @MainActor (_ view: View, _ path: ItemPath, _ model: Model) -> Void
  ) {
    kind = ReuseKind(elementKind: elementKind, viewType: View.self, make: make)
    self.configure = configure
  }
}
