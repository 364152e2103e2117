import DiffableTesting
import TestScope
import Testing

@testable import Diffable

@Suite("Renames one after the other, seen from any state on the way")
struct NamesInBetweenTests {
  @Test(
    "An item has the name there that it had then, also if renames were joined with later ones before",
    arguments: 0..<UInt64(rounds(400)), [false, true])
  func everyState(seed: UInt64, areJoinedBefore: Bool) {
    var random = SplitMix64(seed: seed)
    var (states, steps) = ([Array(0..<4)], [Snapshot<Int, Int>.Marks]())
    for name in 10..<16 {
      var names = states[states.count - 1]
      let row = random.number(below: names.count)
      var marks = Snapshot<Int, Int>.Marks()
      marks.rename([ItemRename(old: names[row], new: name)])
      steps.append(marks)
      names[row] = name
      states.append(names)
    }
    while areJoinedBefore, steps.count > 1 {
      let first = random.number(below: steps.count - 1)
      let next = steps.remove(at: first + 1)
      steps[first].formUnion(next)
    }
    // As a reader does that begins with nothing.
    var all = Snapshot<Int, Int>.Marks()
    for step in steps { all.formUnion(step) }
    let last = states[states.count - 1]
    for (step, state) in states.enumerated() {
      let found = Set(all.renames.from { state.contains($0) }.inOrder)
      let expected = zip(state, last).filter { $0 != $1 }.map { ItemRename(old: $0, new: $1) }
      #expect(found == Set(expected), "seed \(seed), after \(step) renames")
    }
  }

  @Test("Of very many names in between the last ones are known, and the first one always")
  func veryMany() {
    var (renames, joined) = (ItemRenames<Int>(), ItemRenames<Int>())
    for name in 0..<1_000 { renames.formUnion([ItemRename(old: name, new: name + 1)]) }
    for start in stride(from: 0, to: 1_000, by: 100) {
      var part = ItemRenames<Int>()
      for name in start..<start + 100 { part.formUnion([ItemRename(old: name, new: name + 1)]) }
      joined.formUnion(part)
    }
    for renames in [renames, joined] {
      let known = (0..<1_000).filter { name in
        renames.from { $0 == name }.inOrder == [ItemRename(old: name, new: 1_000)]
      }
      #expect(known == [0] + Array(1_000 - 64..<1_000))
    }
  }

  @Test("A name that an item has given away may be that of another one by then")
  func givenAway() {
    for taken in 10..<13 {
      for moment in taken + 1...14 {
        var states = [[0, 1]]
        var renames = ItemRenames<Int>()
        func rename(_ row: Int, to name: Int) {
          var names = states[states.count - 1]
          renames.formUnion([ItemRename(old: names[row], new: name)])
          names[row] = name
          states.append(names)
        }
        for name in 10...14 {
          rename(0, to: name)
          if name == moment { rename(1, to: taken) }
        }
        let last = states[states.count - 1]
        for state in states {
          let found = Set(renames.from { state.contains($0) }.inOrder)
          // No item can get a name that another one has there.
          let expected = zip(state, last).filter { $0 != $1 && !state.contains($1) }
            .map { ItemRename(old: $0, new: $1) }
          #expect(found == Set(expected), "\(state) of \(states)")
        }
      }
    }
  }

  @Test("A newer list that renames every row says what each is called, whatever an older one said")
  func takenOver() {
    let rows = 0..<3
    // What each row is called by the older list; `nil` if it deletes the row.
    let older = rows.reduce([[Int?]()]) { lists, _ in
      lists.flatMap { list in
        ((0..<5).filter { !list.contains($0) } + [nil]).map { list + [$0] }
      }
    }
    for older in older {
      for newer in [[10, 11, 12], [1, 2, 0], [1, 0, 3], [3, 0, 1]] {
        func renames(_ names: [Int?]) -> ItemRenames<Int> {
          var renames = ItemRenames<Int>()
          renames.formUnion(
            zip(rows, names).compactMap { row, name in
              name.flatMap { $0 == row ? nil : ItemRename(old: row, new: $0) }
            })
          return renames
        }
        var both = renames(older)
        both.takeOver(by: renames(newer))
        #expect(rows.map { both.newName(of: $0) } == newer, "\(older), then \(newer)")
        #expect(newer.map { both.oldName(of: $0) } == Array(rows), "\(older), then \(newer)")
      }
    }
  }

  /// One or two rows among three names: at each step one of them gets a name that is free.
  @Test("No name is given up twice or received twice, whatever renames are joined with")
  func sound() {
    let starts = [[0], [0, 1], [1, 2]]
    let (long, short) = (
      starts.flatMap { Self.renames(of: $0, upTo: 5) },
      starts.flatMap { Self.renames(of: $0, upTo: 3) }
    )
    func check(_ renames: ItemRenames<Int>, _ comment: @autoclosure () -> String) {
      let isSound = (0..<3).allSatisfy { name in
        let (new, old) = (renames.newName(of: name), renames.oldName(of: name))
        return new != name && new.map { renames.oldName(of: $0) == name } ?? true
          && old.map { renames.newName(of: $0) == name } ?? true
      }
      if !isSound { Issue.record("\(renames.inOrder) of \(comment())") }
    }
    for renames in long {
      for state in 0..<8 {
        func contains(_ name: Int) -> Bool { state >> name & 1 == 1 }
        check(renames.from(stateWhere: contains), "\(renames.inOrder) from \(state)")
        check(renames.to(stateWhere: contains), "\(renames.inOrder) to \(state)")
      }
      for others in short {
        var (joined, taken) = (renames, renames)
        joined.formUnion(others)
        check(joined, "\(renames.inOrder), then \(others.inOrder)")
        taken.takeOver(by: others)
        check(taken, "\(renames.inOrder), or else \(others.inOrder)")
      }
    }
  }

  /// The renames of all sequences of steps.
  private static func renames(of names: [Int], upTo length: Int) -> [ItemRenames<Int>] {
    var found: [ItemRenames<Int>] = []
    func add(_ names: [Int], _ renames: ItemRenames<Int>, _ length: Int) {
      found.append(renames)
      guard length > 0 else { return }
      for row in names.indices {
        for name in 0..<3 where !names.contains(name) {
          var (nextNames, next) = (names, renames)
          next.formUnion([ItemRename(old: names[row], new: name)])
          nextNames[row] = name
          add(nextNames, next, length - 1)
        }
      }
    }
    add(names, ItemRenames(), length)
    return found
  }
}
