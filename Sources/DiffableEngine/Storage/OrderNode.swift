/// A node of an order tree.
package enum OrderNode: Sendable {
  case leaf(Leaf)
  case inner(InnerNode)

  package var count: Int {
    switch self {
    case .leaf(let leaf): leaf.count
    case .inner(let inner): inner.count
    }
  }

  var firstLabel: LeafLabel {
    switch self {
    case .leaf(let leaf): leaf.label
    case .inner(let inner): inner.firstLabel
    }
  }

  package var totals: Totals {
    switch self {
    case .leaf(let leaf): leaf.totals
    case .inner(let inner): inner.totals
    }
  }

  /// The number of levels below this one: 0 for a leaf.
  var height: Int {
    switch self {
    case .leaf: 0
    case .inner(let inner): inner.height
    }
  }

  static func === (left: OrderNode, right: OrderNode) -> Bool {
    switch (left, right) {
    case (.leaf(let left), .leaf(let right)): left === right
    case (.inner(let left), .inner(let right)): left === right
    default: false
    }
  }
}

/// Edits in place: nodes with a single holder are written to, others are copied.
///
/// A node is taken out of its place while it is edited, so that the place does not hold it. Nothing
/// reads the place in the meantime: an edit runs no code of users.
extension UnsafeMutablePointer<OrderNode> {
  /// Calls a function that may change an element, except for its identity.
  @discardableResult
  func mutateElement(
    at position: Int, _ body: (UnsafeMutableRawPointer) -> Void
  ) -> NodeChange {
    switch move() {
    case .leaf(var leaf):
      leaf.makeUnique()
      let change = leaf.mutateElement(at: position, body)
      initialize(to: .leaf(leaf))
      return change
    case .inner(var inner):
      let change = inner.edit(childHolding: position) { $0.mutateElement(at: $1, body) }
      initialize(to: .inner(inner))
      return change
    }
  }

  /// Edits the leaf that contains a position, if the edit is possible there.
  ///
  /// - Parameter place: Set to the place of the edit; stays `nil` if the leaf was not edited.
  @discardableResult
  func perform(
    _ edit: LeafEdit, at position: Int, _ shape: TreeShape, _ place: inout LeafEdit.Place?
  ) -> NodeChange {
    switch move() {
    case .leaf(var leaf):
      var change = NodeChange()
      if edit.isPossible(in: leaf, shape) {
        leaf.makeUnique(
          withRoomFor: edit.change, capacity: shape.leafCapacity,
          keepingModels: edit.keepsModels)
        place = edit.perform(in: &leaf, at: position)
        change.count = edit.change
        if leaf.kernel.totals != nil { change.totals = .unknown }
      }
      initialize(to: .leaf(leaf))
      return change
    case .inner(var inner):
      let change = inner.edit(childHolding: position) {
        $0.perform(edit, at: $1, shape, &place)
      }
      initialize(to: .inner(inner))
      return change
    }
  }
}

/// What an edit in place changes in what the nodes above it store.
struct NodeChange {
  enum TotalsChange {
    case none
    /// Those of one element, in a way that needs no look at others; see ``Totals/exchange(_:for:)``.
    case exchanged(Totals, for: Totals)
    case unknown
  }

  /// The change of the number of elements.
  var count = 0
  var totals = TotalsChange.none
}
