import Diffable
import DiffableTesting
import ListSupport

/// An outline as plain nested values.
struct OutlineModel: Hashable {
  struct Node: Hashable {
    var id: Int
    var isExpanded = false
    var isUnloaded = false
    var children: [Node] = []

    var items: [Int] { [id] + children.flatMap(\.items) }

    var visibleItems: [Int] { [id] + (isExpanded ? children.flatMap(\.visibleItems) : []) }

    /// How its row is drawn.
    var sign: Disclosure.Sign {
      if isExpanded, isUnloaded { return .loading }
      if children.isEmpty, !isUnloaded { return .leaf }
      return isExpanded ? .expanded : .collapsed
    }

    /// This node and all below.
    var all: [Node] { [self] + children.flatMap(\.all) }
  }

  var roots: [Node] = []

  var all: [Node] { roots.flatMap(\.all) }
  var items: [Int] { roots.flatMap(\.items) }
  var visibleItems: [Int] { roots.flatMap(\.visibleItems) }

  /// The indices that lead from the roots to an item.
  func path(to item: Int) -> [Int]? { Self.path(to: item, in: roots) }

  private static func path(to item: Int, in nodes: [Node]) -> [Int]? {
    for (index, node) in nodes.enumerated() {
      if node.id == item { return [index] }
      if let rest = path(to: item, in: node.children) { return [index] + rest }
    }
    return nil
  }

  func node(_ item: Int) -> Node? { all.first { $0.id == item } }

  /// Edits the list of siblings that a path leads into.
  mutating func editSiblings(at path: some Collection<Int>, _ edit: (inout [Node]) -> Void) {
    func descend(_ nodes: inout [Node], _ path: ArraySlice<Int>) {
      guard let first = path.first else { return edit(&nodes) }
      descend(&nodes[first].children, path.dropFirst())
    }
    descend(&roots, Array(path)[...])
  }

  mutating func edit(_ item: Int, _ edit: (inout Node) -> Void) {
    guard let path = path(to: item) else { return }
    editSiblings(at: path.dropLast()) { edit(&$0[path[path.count - 1]]) }
  }

  @discardableResult
  mutating func remove(_ item: Int) -> Node? {
    guard let path = path(to: item), let node = node(item) else { return nil }
    editSiblings(at: path.dropLast()) { $0.remove(at: path[path.count - 1]) }
    return node
  }

  mutating func insert(_ nodes: [Node], beside anchor: Int, offset: Int) {
    guard let path = path(to: anchor) else { return }
    editSiblings(at: path.dropLast()) {
      $0.insert(contentsOf: nodes, at: path[path.count - 1] + offset)
    }
  }
}

extension OutlineModel {
  /// Edits the model; answers the code of the error that the edit must throw.
  mutating func apply(_ edit: OutlineEdit<Int>) -> String? {
    func nodes(_ items: [Int]) -> [Node] { items.map { Node(id: $0) } }
    func fault(_ new: [Int], _ known: [Int], allowing: [Int] = []) -> String? {
      if !known.allSatisfy(items.contains) { return "unknownItem" }
      let others = Set(items).subtracting(allowing)
      return Set(new).count < new.count || !others.isDisjoint(with: new) ? "duplicateItems" : nil
    }
    func moveFault(_ item: Int, _ anchor: Int) -> String? {
      if let fault = fault([], [item, anchor]) { return fault }
      let isInside = item != anchor && node(item)?.items.contains(anchor) == true
      return isInside ? "cyclicMove" : nil
    }
    switch edit {
    case .append(let new, let parent):
      if let fault = fault(new, parent.map { [$0] } ?? []) { return fault }
      if let parent {
        self.edit(parent) { $0.children += nodes(new) }
      } else {
        roots += nodes(new)
      }
    case .insertBefore(let new, let anchor):
      if let fault = fault(new, [anchor]) { return fault }
      insert(nodes(new), beside: anchor, offset: 0)
    case .insertAfter(let new, let anchor):
      if let fault = fault(new, [anchor]) { return fault }
      insert(nodes(new), beside: anchor, offset: 1)
    case .delete(let gone): for item in gone { remove(item) }
    case .deleteAll: roots = []
    case .replaceChildren(let parent, let new):
      if Set(new).count < new.count { return "duplicateItems" }
      let below = node(parent).map { $0.items.filter { $0 != parent } } ?? []
      if let fault = fault(new, [parent], allowing: below) { return fault }
      self.edit(parent) { ($0.children, $0.isUnloaded) = (nodes(new), false) }
    case .moveBefore(let item, let anchor):
      if let fault = moveFault(item, anchor) { return fault }
      if item != anchor, let node = remove(item) { insert([node], beside: anchor, offset: 0) }
    case .moveAfter(let item, let anchor):
      if let fault = moveFault(item, anchor) { return fault }
      if item != anchor, let node = remove(item) { insert([node], beside: anchor, offset: 1) }
    case .moveInto(let item, let parent):
      if let fault = fault([], [item, parent]) { return fault }
      if node(item)?.items.contains(parent) == true { return "cyclicMove" }
      if let node = remove(item) { self.edit(parent) { $0.children.append(node) } }
    case .expand(let items): for item in items { self.edit(item) { $0.isExpanded = true } }
    case .collapse(let items): for item in items { self.edit(item) { $0.isExpanded = false } }
    case .setChildrenUnloaded(let items):
      for item in items { self.edit(item) { $0.isUnloaded = true } }
    case .setChildrenLoaded(let items):
      for item in items { self.edit(item) { $0.isUnloaded = false } }
    }
    return nil
  }
}

extension OutlineModel {
  /// What is true of one item.
  struct Fact {
    let index: Int
    let level: Int
    let parent: Int?
    let isVisible: Bool
    let node: Node
  }

  /// What is true of every item, found in one walk.
  var facts: [Int: Fact] {
    var facts: [Int: Fact] = [:]
    func walk(_ nodes: [Node], below parent: Node?, level: Int, isVisible: Bool) {
      for node in nodes {
        facts[node.id] = Fact(
          index: facts.count, level: level, parent: parent?.id, isVisible: isVisible, node: node)
        walk(
          node.children, below: node, level: level + 1, isVisible: isVisible && node.isExpanded)
      }
    }
    walk(roots, below: nil, level: 0, isVisible: true)
    return facts
  }
}

/// What an outline answers otherwise than its model, or `nil`.
func firstDifference(_ outline: Outline<Int>, _ model: OutlineModel) -> String? {
  func differs<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) -> String? {
    value == expected ? nil : "\(name) is \(value), not \(expected)"
  }
  let all = model.all
  let overall =
    differs("count", outline.count, all.count)
    ?? differs("isEmpty", outline.isEmpty, all.isEmpty)
    ?? differs("items", outline.items, model.items)
    ?? differs("rootItems", outline.rootItems, model.roots.map(\.id))
    ?? differs("visibleItems", outline.visibleItems, model.visibleItems)
    ?? differs(
      "loadingItems", outline.loadingItems, all.filter { $0.sign == .loading }.map(\.id))
  if let overall { return overall }
  let facts = model.facts
  for item in model.items + [-1] {
    let (fact, node) = (facts[item], facts[item]?.node)
    let difference =
      differs("contains(\(item))", outline.contains(item), node != nil)
      ?? differs("index(of: \(item))", outline.index(of: item), fact?.index)
      ?? differs("level(of: \(item))", outline.level(of: item), fact?.level)
      ?? differs("parent(of: \(item))", outline.parent(of: item), fact?.parent)
      ?? differs(
        "children(of: \(item))", outline.children(of: item), node?.children.map(\.id) ?? [])
      ?? differs("isExpanded(\(item))", outline.isExpanded(item), node?.isExpanded ?? false)
      ?? differs("isVisible(\(item))", outline.isVisible(item), fact?.isVisible ?? false)
      ?? differs(
        "hasUnloadedChildren(\(item))", outline.hasUnloadedChildren(item), node?.isUnloaded ?? false
      )
      ?? differs(
        "outline(of: \(item))", outline.outline(of: item),
        Outline(OutlineModel(roots: node?.children ?? [])))
      ?? differs(
        "outline(of: \(item), includingParent)", outline.outline(of: item, includingParent: true),
        Outline(OutlineModel(roots: node.map { [$0] } ?? [])))
    if let difference { return difference }
    let disclosure = fact.map { Disclosure(level: $0.level, sign: $0.node.sign) }
    let drawn = differs("disclosure(of: \(item))", outline.disclosure(of: item), disclosure)
    if let drawn { return drawn }
  }
  return nil
}

extension Outline<Int> {
  /// The outline that a model describes, built item by item.
  init(_ model: OutlineModel) {
    self.init()
    func add(_ nodes: [OutlineModel.Node], to parent: Int?) throws(SnapshotError) {
      try append(nodes.map(\.id), to: parent)
      for node in nodes { try add(node.children, to: node.id) }
    }
    do {
      try add(model.roots, to: nil)
    } catch {
      preconditionFailure("a model holds each item once: \(error)")
    }
    expand(model.all.filter(\.isExpanded).map(\.id))
    setChildrenUnloaded(of: model.all.filter(\.isUnloaded).map(\.id))
  }
}

/// Every forest of some items, numbered as they are read, with every combination of flags.
func everyOutline(items count: Int) -> [OutlineModel] {
  everyForest(of: count).flatMap { levels in
    everySequence(of: [false, true], length: count).map { flags in
      func siblings(_ rows: Range<Int>) -> [OutlineModel.Node] {
        let starts = rows.filter { levels[$0] == levels[rows.lowerBound] }
        return zip(starts, starts.dropFirst() + [rows.upperBound]).map { row, end in
          .init(id: row, isExpanded: flags[row], children: siblings(row + 1..<end))
        }
      }
      return OutlineModel(roots: siblings(0..<count))
    }
  }
}
