public import Diffable

/// Hands supplementary views to a provider.
///
/// It is valid for the one call of the provider to which it is passed. If a view is reconfigured,
/// it returns that view.
@MainActor
public struct SupplementaryDequeuer<HostView: AnyObject> {
  let supply: ViewSupply<HostView>

  /// Returns a view that shows a model.
  ///
  /// - Parameters:
  ///   - registration: The kind of view.
  ///   - path: The path that the provider received.
  ///   - model: What the view should show.
  /// - Throws: ``ListError/cannotMakeView(kind:)`` if the host has none and cannot make one, and
  ///   ``ListError/wrongView(expected:found:)`` if it returns another type than requested.
  public func dequeueConfiguredReusableSupplementary<View: AnyObject, Model>(
    using registration: SupplementaryRegistration<View, Model>, for path: ItemPath, model: Model
  ) throws(ListError) -> View {
    let view: View = try supply.view(of: registration.kind, for: path)
    registration.configure(view, path, model)
    return view
  }
}
