public import Diffable

// Calls that look right and are not. They exist for the compiler's messages alone.
extension ListQuery {
  /// Not available: the type of the sections does not say what their models are.
  @available(
    *, unavailable,
    message: """
      the type of a section names the type of its model: group by a type that conforms to \
      'ModelledSection'
      """
  )
  public func sectionModels<Section, Model, Header>(
    id: (any Hashable & Sendable)? = nil, _ model: (_ section: Section, _ count: Int) -> Header
  ) -> ListQuery where Output == ModelBatch<Section, Model> { self }

  /// Not available: the type of the sections does not say what their models are.
  @available(
    *, unavailable,
    message: """
      the type of a section names the type of its model: group by a type that conforms to \
      'ModelledSection'
      """
  )
  public func sectionModels<Section, Model, Value, Header>(
    id: (any Hashable & Sendable)? = nil, _ aggregate: Aggregate<Model, Value>,
    _ model: (_ section: Section, _ count: Int, _ value: Value) -> Header
  ) -> ListQuery where Output == ModelBatch<Section, Model> { self }

  /// Not available: a source of identifiers has no models.
  @available(
    *, unavailable, message: "a list of identifiers has no models: derive from a 'ModelSource'"
  )
  public func sectionModels<Section, Item, Header>(
    id: (any Hashable & Sendable)? = nil, _ model: (_ section: Section, _ count: Int) -> Header
  ) -> ListQuery where Output == UpdateBatch<Section, Item> { self }

  /// Not available: the values cannot be compared.
  @available(
    *, unavailable,
    message: "the values have no order of their own: compare two elements, as in 'sorted { … }'"
  )
  public func sorted<Value>(
    id: (any Hashable & Sendable)? = nil, by value: (Output.Element) -> Value,
    reverse: Bool = false
  ) -> ListQuery { self }

  /// Not available: the keys cannot be compared.
  @available(
    *, unavailable,
    message:
      "the sections have no order of their own: add 'order: { … }', or make them 'Comparable'"
  )
  public func grouped<Group: Hashable>(
    id: (any Hashable & Sendable)? = nil, by section: (Output.Element) -> Group,
    reverse: Bool = false
  ) -> ListQuery { self }

  /// Not available: the values cannot be compared.
  @available(
    *, unavailable,
    message: "the values have no order of their own: add 'order: { … }', or make them 'Comparable'"
  )
  public func sectionsSorted<Value>(
    id: (any Hashable & Sendable)? = nil, by aggregate: Aggregate<Output.Element, Value>,
    reverse: Bool = false
  ) -> ListQuery { self }

  /// Not available: the type of the sections does not say what their models are.
  @available(
    *, unavailable,
    message: """
      the type of a section names the type of its model: group by a type that conforms to \
      'ModelledSection'
      """
  )
  public func prefix<Section, Model, Header>(
    id: (any Hashable & Sendable)? = nil, ofEachSection count: Int,
    _ model: (_ section: Section, _ model: Header?, _ more: Int) -> Header?
  ) -> ListQuery where Output == ModelBatch<Section, Model> { self }

  /// Not available: a row keeps its identifier.
  @available(
    *, unavailable,
    message: "a row keeps its identifier: 'map' must return a model with the same type of 'id'"
  )
  public func map<Model: Identifiable>(
    id: (any Hashable & Sendable)? = nil, _ transform: (Output.Element) -> Model
  ) -> ListQuery { self }
}
