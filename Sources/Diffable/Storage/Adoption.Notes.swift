extension Adoption {
  /// Neighbouring elements that have found their partners, and the leaf where they begin.
  struct Run: BitwiseCopyable {
    let old: Int
    let new: Int
    var count: Int32
    let leaf: Int32

    init(old: Int, new: Int, count: Int, leaf: Int) {
      self.old = old
      self.new = new
      self.count = Int32(truncatingIfNeeded: count)
      self.leaf = Int32(truncatingIfNeeded: leaf)
    }
  }

  /// An element that the walk has passed.
  struct Passed: BitwiseCopyable {
    let index: Int32
    /// Whether elements like this one stand in no old order, as in a shuffled array.
    let isAlone: Bool

    init(index: Int, isAlone: Bool) {
      self.index = Int32(truncatingIfNeeded: index)
      self.isAlone = isAlone
    }
  }

  /// What an adoption writes down of an array, in memory that has room for a note of each kind for
  /// each of its elements: no list of them ever grows.
  struct Notes {
    /// What the walk has met, in ascending order of `new`; behind that, what the table has found.
    let runs: UnsafeMutableBufferPointer<Run>
    var runCount = 0
    /// By index: the hash, but not where a whole leaf of several elements has been met.
    let hashes: UnsafeMutableBufferPointer<UInt32>
    /// What the walk has passed, in ascending order.
    let passed: UnsafeMutableBufferPointer<Passed>
    var passedCount = 0
    /// By matched run: the leaf in which it begins.
    let startLeaves: UnsafeMutableBufferPointer<Int32>

    init(_ memory: UnsafeMutableRawBufferPointer, count: Int) {
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
    static var stride: Int {
      MemoryLayout<Run>.stride + MemoryLayout<Passed>.stride + 2 * MemoryLayout<Int32>.stride
    }

    /// Adds a run behind the others, to the last one where it continues that.
    mutating func appendRun(old: Int, new: Int, count: Int, leaf: Int) {
      if runCount > 0, case let last = runs[runCount &- 1], last.old &+ Int(last.count) == old,
        last.new &+ Int(last.count) == new
      {
        runs[runCount &- 1].count = last.count &+ Int32(truncatingIfNeeded: count)
      } else {
        runs[runCount] = Run(old: old, new: new, count: count, leaf: leaf)
        runCount &+= 1
      }
    }

    mutating func appendPassed(_ element: Passed) {
      passed[passedCount] = element
      passedCount &+= 1
    }
  }
}
