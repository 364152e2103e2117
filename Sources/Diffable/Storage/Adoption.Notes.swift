extension Adoption {
  /// Neighbouring elements that have found their partners, and the leaf where they begin.
  @usableFromInline struct Run: BitwiseCopyable {
    @usableFromInline let old: Int
    @usableFromInline let new: Int
    @usableFromInline var count: Int32
    @usableFromInline let leaf: Int32

    @inlinable init(old: Int, new: Int, count: Int, leaf: Int) {
      self.old = old
      self.new = new
      self.count = Int32(truncatingIfNeeded: count)
      self.leaf = Int32(truncatingIfNeeded: leaf)
    }
  }

  /// An element that the walk has passed.
  @usableFromInline struct Passed: BitwiseCopyable {
    @usableFromInline let index: Int32
    /// Whether elements like this one stand in no old order, as in a shuffled array.
    @usableFromInline let isAlone: Bool

    @inlinable init(index: Int, isAlone: Bool) {
      self.index = Int32(truncatingIfNeeded: index)
      self.isAlone = isAlone
    }
  }

  /// What an adoption writes down of an array, in memory that has room for a note of each kind for
  /// each of its elements: no list of them ever grows.
  @usableFromInline struct Notes {
    /// What the walk has met, in ascending order of `new`; behind that, what the table has found.
    @usableFromInline let runs: UnsafeMutableBufferPointer<Run>
    @usableFromInline var runCount = 0
    /// By index: the hash, but not where a whole leaf of several elements has been met.
    @usableFromInline let hashes: UnsafeMutableBufferPointer<UInt32>
    /// What the walk has passed, in ascending order.
    @usableFromInline let passed: UnsafeMutableBufferPointer<Passed>
    @usableFromInline var passedCount = 0
    /// By matched run: the leaf in which it begins.
    @usableFromInline let startLeaves: UnsafeMutableBufferPointer<Int32>

    @inlinable init(_ memory: UnsafeMutableRawBufferPointer, count: Int) {
      var rest = memory[...]
      func take<Note>(_ type: Note.Type) -> UnsafeMutableBufferPointer<Note> {
        let bytes = rest.prefix(count * MemoryLayout<Note>.stride)
        rest = rest[bytes.endIndex...]
        return UnsafeMutableRawBufferPointer(rebasing: bytes).bindMemory(to: type)
      }
      runs = take(Run.self)
      passed = take(Passed.self)
      hashes = take(UInt32.self)
      startLeaves = take(Int32.self)
    }

    /// How much memory the notes of one element take.
    @inlinable static var stride: Int {
      MemoryLayout<Run>.stride + MemoryLayout<Passed>.stride + 2 * MemoryLayout<Int32>.stride
    }

    /// Adds a run behind the others, to the last one where it continues that.
    @inlinable mutating func appendRun(old: Int, new: Int, count: Int, leaf: Int) {
      if runCount > 0, case let last = runs[runCount &- 1], last.old &+ Int(last.count) == old,
        last.new &+ Int(last.count) == new
      {
        runs[runCount &- 1].count = last.count &+ Int32(truncatingIfNeeded: count)
      } else {
        runs[runCount] = Run(old: old, new: new, count: count, leaf: leaf)
        runCount &+= 1
      }
    }

    @inlinable mutating func appendPassed(_ element: Passed) {
      passed[passedCount] = element
      passedCount &+= 1
    }
  }
}
