/// A model that can be given another identifier.
///
/// ```swift
/// struct Message: RenamableModel, Equatable, Sendable {
///   private(set) var id: MessageID
///   var text: String
///
///   mutating func rename(to id: MessageID) { self.id = id }
/// }
/// ```
///
/// It lets an edit that was made under an old identifier follow the item: a merge gives the writer's
/// model the identifier that the item has now. Models of other types cannot follow, and the merge
/// reports ``Contradiction/editedButRenamed``.
public protocol RenamableModel: Identifiable {
  /// Changes the identifier, and nothing else.
  mutating func rename(to id: ID)
}

extension ElementKernel {
  /// Calls a function with a copy of a model that has another identifier.
  ///
  /// - Returns: Whether the models are of a type that can be renamed.
  func withModel(
    _ address: UnsafeRawPointer, renamedTo id: some Hashable, _ body: (UnsafeRawPointer) -> Void
  ) -> Bool {
    guard let type = type as? any RenamableModel.Type else { return false }
    return withRenamed(address, type, id, body)
  }
}

private func withRenamed<Model: RenamableModel>(
  _ address: UnsafeRawPointer, _ type: Model.Type, _ id: some Hashable,
  _ body: (UnsafeRawPointer) -> Void
) -> Bool {
  guard let id = id as? Model.ID else { return false }
  var model = address.assumingMemoryBound(to: Model.self).pointee
  model.rename(to: id)
  guard model.id == id else { return false }
  withUnsafePointer(to: model) { body($0) }
  return true
}
