package import Diffable

extension LiveState {
  /// Edits the order alone.
  package mutating func update(
    duplicates: DuplicatePolicy, _ edit: (inout Snapshot<SectionID, ItemID>) throws -> Void
  ) throws -> Commit? {
    try update(duplicates: duplicates) { snapshot, _ in try edit(&snapshot) }
  }
}

extension LiveState {
  /// The empty state, with kernels of its own.
  package init() { self.init(Snapshot<SectionID, ItemID>.makeKernels()) }
}

extension Outline {
  /// An empty outline of a shape, with a kernel of its own.
  package init(shape: TreeShape) { self.init(ElementKernel(ItemID.self), shape: shape) }
}

extension Snapshot {
  /// A snapshot of sections with their items, with kernels of its own.
  package init(contents: [(id: SectionID, items: [ItemID])]) {
    self.init(Self.makeKernels(), contents: contents)
  }
}

extension SnapshotKernels {
  /// The kernels of numbers, compiled here: a release build does not optimize the tests themselves.
  ///
  /// Worlds that run side by side have their own, so that they do not wait for each other to count holders.
  package static func ofNumbers() -> SnapshotKernels { Snapshot<Int, Int>.makeKernels() }
}
