/// How two versions of a model become one: the function of a source, whatever the type of its models.
package struct ModelMerging: Sendable {
  private let merge:
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

  /// Calls a function with what two versions and their base become.
  package func callAsFunction(
    _ base: UnsafeRawPointer, _ theirs: UnsafeRawPointer, _ mine: UnsafeRawPointer,
    _ body: (UnsafeRawPointer) -> Void
  ) {
    merge(base, theirs, mine, body)
  }

  /// What two versions and their base become, where the type of the models is known.
  package func merged<Model>(base: Model, theirs: Model, mine: Model) -> Model {
    var merged = mine
    withUnsafePointer(to: base) { base in
      withUnsafePointer(to: theirs) { theirs in
        withUnsafePointer(to: mine) { mine in
          self(base, theirs, mine) { merged = $0.assumingMemoryBound(to: Model.self).pointee }
        }
      }
    }
    return merged
  }
}
