/// What an app does with the models of a source.
package struct ModelHandlers<SectionID: Hashable & Sendable>: Sendable {
  /// How two versions of a model are merged; if it is `nil`, the writer's version counts.
  package let merging: ModelMerging?
  /// What a model becomes when its item is dropped in a section.
  let dropping: ModelDropping<SectionID>?

  /// No handlers.
  package init() { (merging, dropping) = (nil, nil) }

  package init<Model: Identifiable & Sendable>(
    drop: (@Sendable (inout Model, SectionID) -> Void)?,
    merge: (@Sendable (_ base: Model, _ theirs: Model, _ mine: Model) -> Model)?
  ) {
    (merging, dropping) = (ModelMerging(merge), ModelDropping(drop))
  }
}

/// How two versions of a model become one: the function of a source, whatever the type of its models.
package struct ModelMerging: Sendable {
  /// Calls a function with what two versions and their base become.
  let merge:
    @Sendable (
      _ base: UnsafeRawPointer, _ theirs: UnsafeRawPointer, _ mine: UnsafeRawPointer,
      _ body: (UnsafeRawPointer) -> Void
    ) -> Void

  /// Takes over the function of a user.
  ///
  /// If it returns a model with another identifier, that would belong to another item. So the
  /// writer's model counts instead.
  package init?<Model: Identifiable & Sendable>(
    _ merge: (@Sendable (_ base: Model, _ theirs: Model, _ mine: Model) -> Model)?
  ) {
    guard let merge else { return nil }
    self.merge = { base, theirs, mine, body in
      let mine = mine.assumingMemoryBound(to: Model.self).pointee
      var merged = merge(
        base.assumingMemoryBound(to: Model.self).pointee,
        theirs.assumingMemoryBound(to: Model.self).pointee, mine)
      if merged.id != mine.id { merged = mine }
      withUnsafePointer(to: merged) { body($0) }
    }
  }

  /// What two versions and their base become, where the type of the models is known.
  package func merged<Model>(base: Model, theirs: Model, mine: Model) -> Model {
    var merged = mine
    withUnsafePointer(to: base) { base in
      withUnsafePointer(to: theirs) { theirs in
        withUnsafePointer(to: mine) { mine in
          merge(base, theirs, mine) { merged = $0.assumingMemoryBound(to: Model.self).pointee }
        }
      }
    }
    return merged
  }
}

/// What a model becomes in a section: the function of a source for drops, whatever the type of its models.
struct ModelDropping<SectionID: Hashable & Sendable>: Sendable {
  /// Calls a function with what a model becomes, unless that is ignored.
  let drop:
    @Sendable (
      _ model: UnsafeRawPointer, _ section: SectionID, _ body: (UnsafeRawPointer) -> Void
    ) -> Void

  /// Takes over the function of a user.
  ///
  /// A model with another identifier would belong to another item, so it is ignored.
  init?<Model: Identifiable & Sendable>(_ drop: (@Sendable (inout Model, SectionID) -> Void)?) {
    guard let drop else { return nil }
    self.drop = { model, section, body in
      let former = model.assumingMemoryBound(to: Model.self).pointee
      var model = former
      drop(&model, section)
      if model.id == former.id { withUnsafePointer(to: model) { body($0) } }
    }
  }
}

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
