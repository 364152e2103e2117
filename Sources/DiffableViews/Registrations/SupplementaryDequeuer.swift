public import Diffable

/// Hands supplementary views to a provider.
///
/// It is good for the one call of the provider that it was passed to. Where a view is reconfigured,
/// the one that it hands out is on the screen already.
@MainActor
public struct SupplementaryDequeuer<HostView: AnyObject> {
  let supply: ViewSupply<HostView>

  /// A view that shows a model.
  ///
  /// - Parameters:
  ///   - registration: The kind of view.
  ///   - path: The path that the provider was given.
  ///   - model: What the view is to show.
  /// - Throws: ``ListError/cannotMakeView(kind:)`` if the host has none and cannot make one, and
  ///   ``ListError/wrongView(expected:found:)`` if it gives another type than it was asked for.
  public func dequeueConfiguredReusableSupplementary<View: AnyObject, Model>(
    using registration: SupplementaryRegistration<View, Model>, for path: ItemPath, model: Model
  ) throws(ListError) -> View {
    let view: View = try supply.view(of: registration.kind, for: path)
    registration.configure(view, path, model)
    return view
  }
}
