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
