/// What a map of models does, compiled where the type of the models is known.
///
/// Like an ``ElementKernel``: whoever creates a source makes one.
@usableFromInline
final class ContentKernel<
  Key: Hashable & Sendable, Value: Sendable
>: Sendable {
  @usableFromInline typealias Map = ContentMap<Key, Value>
  /// An entry that a map shares with no older one, and the value that this has for its key.
  @usableFromInline typealias Change = (key: Key, old: Value?, new: Value)

  let value: @Sendable (Map.Node, Key) -> Value?
  /// Sets values that differ from those that are there, the first ones last if they are to be kept.
  let set: @Sendable (inout Map, [Value], _ keepingFirst: Bool) -> Void
  let remove: @Sendable (inout Map, Key) -> Void
  /// What differs, of all that is not shared with an older map.
  let changes: @Sendable (_ new: Map, _ old: Map) -> [Change]

  @usableFromInline init(
    value: @escaping @Sendable (Map.Node, Key) -> Value?,
    set: @escaping @Sendable (inout Map, [Value], Bool) -> Void,
    remove: @escaping @Sendable (inout Map, Key) -> Void,
    changes: @escaping @Sendable (Map, Map) -> [Change]
  ) {
    (self.value, self.set, self.remove, self.changes) = (value, set, remove, changes)
  }
}

extension ContentKernel where Value: Identifiable & Equatable, Value.ID == Key {
  /// Creates the kernel of models.
  @inlinable convenience init(_ type: Value.Type) {
    self.init { root, key in
      root.value(of: key, HashPath(key))
    } set: { map, models, keepsFirst in
      if keepsFirst {
        for model in models.reversed() { map.setIfChanged(model) }
      } else {
        for model in models { map.setIfChanged(model) }
      }
    } remove: { map, key in
      map.removeKey(key)
    } changes: { new, old in
      new.changes(since: old)
    }
  }
}

extension ContentMap where Value: Identifiable & Equatable, Value.ID == Key {
  /// Sets models that differ from those that are there; of those for the same item the first or the
  /// last one.
  mutating func set(_ models: [Value], keepingFirst: Bool) {
    (kernel ?? ContentKernel(Value.self)).set(&self, models, keepingFirst)
  }

  /// What differs from an older map, of all that is not shared with that.
  func forEachChange(since old: ContentMap, _ body: (Key, Value?, Value) -> Void) {
    for change in (kernel ?? ContentKernel(Value.self)).changes(self, old) {
      body(change.key, change.old, change.new)
    }
  }

  /// Sets a model, unless an equal one is there: so what is shared stays shared.
  @inlinable mutating func setIfChanged(_ model: Value) {
    let path = HashPath(model.id)
    guard root.value(of: model.id, path) != model else { return }
    if root.set(model, for: model.id, path) { count += 1 }
    _checkInvariants(after: model.id)
  }

  @inlinable func changes(since old: ContentMap) -> [ContentKernel<Key, Value>.Change] {
    var changes: [ContentKernel<Key, Value>.Change] = []
    forEachUnshared(since: old) { key, old, new in
      if old != new { changes.append((key, old, new)) }
    }
    return changes
  }
}
