import Synchronization

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
  /// Calls a function that may edit the leaf that contains a position.
  ///
  /// - Parameter edit: Returns how it has changed the leaf. It receives the offset in the leaf.
  func editLeaf(
    at position: Int, _ edit: (inout Leaf, _ offset: Int) -> NodeChange
  ) -> NodeChange {
    switch move() {
    case .leaf(var leaf):
      let change = edit(&leaf, position)
      initialize(to: .leaf(leaf))
      return change
    case .inner(var inner):
      let change = inner.edit(childHolding: position) { $0.editLeaf(at: $1, edit) }
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

/// The children of a node, with what a descent needs to know about each.
///
/// The children lie in the memory of the node itself, so a descent reads no other memory.
///
/// It may be shared between threads as an array may: code that writes to it holds the only
/// reference, and code that shares it only reads. The initialiser writes before there is another
/// reference, and ``edit(childHolding:_:)`` after ``makeUnique()``.
///
/// Invariant: it has at least one child.
package struct InnerNode: @unchecked Sendable {
  package typealias Child = InnerNodeChild
  /// Children that are not in a node yet.
  typealias Children = ContiguousArray<Child>

  fileprivate var storage: Storage

  fileprivate struct Header {
    let childCount: Int
    let height: Int
    var count = 0
    var totals = Totals()
  }

  /// One object: the header, then the children.
  fileprivate final class Storage: ManagedBuffer<Header, Child> {
    static func allocate(_ header: Header) -> Storage {
      // It is created as an instance of this class.
      unsafeDowncast(create(minimumCapacity: header.childCount) { _ in header }, to: Storage.self)
    }

    deinit {
      _ = withUnsafeMutablePointers { header, children in
        children.deinitialize(count: header.pointee.childCount)
      }
    }
  }

  /// Creates a node.
  ///
  /// - Parameter hasTotals: Whether the tree has totals; if not, the children need not be read to
  ///   join them.
  init(_ children: some Collection<Child>, hasTotals: Bool) {
    guard let first = children.first else { preconditionFailure("an inner node without children") }
    var header = Header(childCount: children.count, height: first.node.height + 1)
    for child in children { header.count += child.count }
    storage = .allocate(header)
    storage.withUnsafeMutablePointerToElements { place in
      var place = place
      for child in children {
        place.initialize(to: child)
        place += 1
      }
    }
    if hasTotals { joinTotals() }
  }

  /// Copies the node, unless it has a single holder.
  mutating func makeUnique() {
    guard !isKnownUniquelyReferenced(&storage) else { return }
    storage = storage.withUnsafeMutablePointers { header, children in
      let copy = Storage.allocate(header.pointee)
      copy.withUnsafeMutablePointerToElements {
        $0.initialize(from: children, count: header.pointee.childCount)
      }
      return copy
    }
  }

  private init(storage: Storage) { self.storage = storage }

  static func === (left: InnerNode, right: InnerNode) -> Bool { left.storage === right.storage }

  /// The number of elements below the node.
  var count: Int { storage.withUnsafeMutablePointerToHeader { $0.pointee.count } }

  /// The number of levels below this one.
  var height: Int { storage.withUnsafeMutablePointerToHeader { $0.pointee.height } }

  var totals: Totals { storage.withUnsafeMutablePointerToHeader { $0.pointee.totals } }

  /// Calls a function with the children.
  func withChildren<Result>(_ body: (UnsafeBufferPointer<Child>) -> Result) -> Result {
    NodeVisits.note()
    return storage.withUnsafeMutablePointers { header, children in
      body(UnsafeBufferPointer(start: children, count: header.pointee.childCount))
    }
  }

  /// Copies of the children.
  var children: Children { withChildren { Children($0) } }

  var childCount: Int { storage.withUnsafeMutablePointerToHeader { $0.pointee.childCount } }

  /// The label of the first leaf below the node.
  var firstLabel: LeafLabel { withChildren { $0[0].label } }

  /// Edits the child that contains a position in place.
  ///
  /// - Parameter edit: Edits the node of the child, and returns how that changes its number of
  ///   elements and its totals. It receives the position in the child.
  mutating func edit(
    childHolding position: Int,
    _ edit: (UnsafeMutablePointer<OrderNode>, _ position: Int) -> NodeChange
  ) -> NodeChange {
    makeUnique()
    let (index, base) = child(holding: position)
    return storage.withUnsafeMutablePointers { header, children in
      let change = withUnsafeMutablePointer(to: &children[index].node) {
        edit($0, position - base)
      }
      children[index].count += change.count
      header.pointee.count += change.count
      switch change.totals {
      case .none: break
      case .exchanged(let old, let new): _ = header.pointee.totals.exchange(old, for: new)
      case .unknown: joinTotals()
      }
      return change
    }
  }

  /// Joins the totals of all children.
  private func joinTotals() {
    storage.withUnsafeMutablePointers { header, children in
      var totals = Totals()
      for index in 0..<header.pointee.childCount { totals.append(children[index].totals) }
      header.pointee.totals = totals
    }
  }
}

/// A child of an inner node.
package struct InnerNodeChild: Sendable {
  let label: LeafLabel
  package internal(set) var count: Int
  package internal(set) var node: OrderNode

  init(_ node: OrderNode) {
    label = node.firstLabel
    count = node.count
    self.node = node
  }

  package var totals: Totals { node.totals }

  /// The child itself, if it is a leaf.
  package var leaf: Leaf? {
    guard case .leaf(let leaf) = node else { return nil }
    return leaf
  }
}

/// Descending.
extension InnerNode {
  /// The child that contains a position, and the number of elements in the children before it.
  func child(holding position: Int) -> (index: Int, base: Int) {
    child { child, base in base + child[0].count <= position }
  }

  /// The last child with a leaf that is not after a label.
  ///
  /// Also returns the number of elements in the children before it.
  func child(labelled label: LeafLabel) -> (index: Int, base: Int) {
    child { child, _ in child[1].label <= label }
  }

  /// The first child that a function, given its address and what is before it, does not pass.
  @inline(__always) private func child(
    _ isPassed: (UnsafeMutablePointer<Child>, _ base: Int) -> Bool
  ) -> (index: Int, base: Int) {
    NodeVisits.note()
    return storage.withUnsafeMutablePointers { header, children in
      var (index, base) = (0, 0)
      while index + 1 < header.pointee.childCount, isPassed(children + index, base) {
        base += children[index].count
        index += 1
      }
      return (index, base)
    }
  }

  /// A child that is an inner node, valid while this node is held.
  ///
  /// - Parameter nextLabel: Set to the label of the child after it, if there is one.
  func unretainedChild(at index: Int, _ nextLabel: inout LeafLabel?) -> Unretained {
    storage.withUnsafeMutablePointers { header, children in
      if index + 1 < header.pointee.childCount { nextLabel = children[index + 1].label }
      guard case .inner(let inner) = children[index].node else {
        preconditionFailure("leaves at two depths")
      }
      return inner.unretained
    }
  }

  /// A child that is a leaf.
  func leaf(at index: Int, _ nextLabel: inout LeafLabel?) -> Leaf? {
    storage.withUnsafeMutablePointers { header, children in
      if index + 1 < header.pointee.childCount { nextLabel = children[index + 1].label }
      return children[index].leaf
    }
  }

  /// The node without counting a reference to it, valid while it is held elsewhere.
  var unretained: Unretained { Unretained(storage: .passUnretained(storage)) }

  struct Unretained {
    fileprivate let storage: Unmanaged<Storage>

    /// Calls a function with the node.
    @inline(__always) func withNode<Result>(_ body: (InnerNode) -> Result) -> Result {
      storage._withUnsafeGuaranteedRef { body(InnerNode(storage: $0)) }
    }
  }
}

/// Counts how often the nodes of trees are read, for tests of what operations cost.
///
/// A count depends only on the work that is done. So a test can compare the counts of a small and of
/// a large list where times would depend on the machine. Only debug builds count.
package final class NodeVisits: Sendable {
  /// Whether this build counts.
  package static var areCounted: Bool {
    #if DEBUG
    true
    #else
    false
    #endif
  }

  private let number = Atomic(0)

  #if DEBUG
  @TaskLocal private static var current: NodeVisits?
  /// The number of counts under way: looking it up is quicker than looking for one of this task.
  private static let countsUnderWay = Atomic(0)
  #endif

  /// The number of visits while a function runs, in its task and in the child tasks of that.
  nonisolated(nonsending) package static func counted(
    _ body: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> Int {
    #if DEBUG
    let visits = NodeVisits()
    countsUnderWay.wrappingAdd(1, ordering: .relaxed)
    defer { countsUnderWay.wrappingSubtract(1, ordering: .relaxed) }
    try await $current.withValue(visits) { try await body() }
    return visits.number.load(ordering: .relaxed)
    #else
    try await body()
    return 0
    #endif
  }

  /// Counts a visit of a node.
  @inline(__always) static func note() {
    #if DEBUG
    guard countsUnderWay.load(ordering: .relaxed) > 0 else { return }
    current?.number.wrappingAdd(1, ordering: .relaxed)
    #endif
  }
}
