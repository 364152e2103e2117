import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

@Suite("An outline answers like nested arrays, whatever was done to it")
struct OutlineModelTests {
  typealias Edit = OutlineEdit<Int>

  @Test("every edit of every small outline", arguments: 0...scoped(usual: 2, wide: 3, long: 4))
  func exhaustive(count: Int) {
    let edits = Self.everyEdit(items: Array(0..<count))
    for start in everyOutline(items: count) {
      let outline = Outline(start)
      if let difference = firstDifference(outline, start) {
        Issue.record("\(start): \(difference)")
        return
      }
      for edit in edits {
        var (edited, model) = (outline, start)
        if let difference = perform(edit, on: &edited, &model) {
          Issue.record("\(edit) of\n\(outline)\n\(difference)")
          return
        }
      }
      #expect(firstDifference(outline, start) == nil, "edits of copies change nothing")
    }
  }

  @Test("any script of edits", arguments: OrderTreeTests.shapes)
  func scripts(shape: TreeShape) {
    for seed in 0..<rounds(1 as UInt64) {
      var random = SplitMix64(seed: seed)
      var outline = Outline<Int>(shape: shape)
      var model = OutlineModel()
      var next = 0
      var edits: [Edit] = []
      for _ in 0..<scoped(usual: 20, wide: 60) {
        let edit = Self.edit(of: model.items, &random, &next)
        edits.append(edit)
        if let difference = perform(edit, on: &outline, &model) {
          Issue.record("seed \(seed): \(difference)\n\(edits)")
          return
        }
      }
    }
  }

  @Test("an error about duplicates names the places in the outline that the edit would make")
  func duplicatePlaces() {
    for start in everyOutline(items: 3).inScope(usual: 7) {
      let facts = start.facts
      func end(of item: Int) -> Int {
        facts[item].map { $0.index + $0.node.items.count } ?? facts.count
      }
      for new in [[100, 0], [1, 100, 101, 2], [100, 100], [2, 1, 2], [100]] {
        var edits: [(edit: Edit, replaced: Range<Int>)] = [
          (.append(new, nil), facts.count..<facts.count)
        ]
        for (item, fact) in facts {
          edits += [
            (.append(new, item), end(of: item)..<end(of: item)),
            (.insertBefore(new, item), fact.index..<fact.index),
            (.insertAfter(new, item), end(of: item)..<end(of: item)),
          ]
          // An outline of its own has no item twice.
          guard Set(new).count == new.count else { continue }
          edits.append((.replaceChildren(item, new), fact.index + 1..<end(of: item)))
        }
        for (edit, replaced) in edits {
          var rows = start.items
          rows.replaceSubrange(replaced, with: new)
          let places = Dictionary(grouping: rows.indices) { rows[$0] }.values
            .filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
          let expected = places.map { places in
            SnapshotError.DuplicateItem(
              identifier: AnyItemID(rows[places[0]]),
              places: places.map { ItemPath(section: 0, item: $0) })
          }
          var outline = Outline(start)
          do throws(SnapshotError) {
            try edit.apply(to: &outline)
            #expect(expected.isEmpty, "\(edit) of\n\(Outline(start))")
          } catch {
            #expect(error == .duplicateItems(expected), "\(edit) of\n\(Outline(start))")
          }
        }
      }
    }
  }

  @Test("outlines are equal exactly when their models are", arguments: 0...3)
  func equality(count: Int) {
    let models = everyOutline(items: count)
    let outlines = models.map { Outline($0) }
    for (left, outline) in zip(models, outlines) {
      for (right, other) in zip(models, outlines) {
        #expect((outline == other) == (left == right))
      }
    }
  }

  @Test("keeping the expansion takes every flag of the other outline that there is a row for")
  func takeExpansion() {
    for model in everyOutline(items: 3).inScope(usual: 7) {
      for other in everyOutline(items: 2) {
        var outline = Outline(model)
        outline.takeExpansion(from: Outline(other))
        var expected = model
        for node in other.all { expected.edit(node.id) { $0.isExpanded = node.isExpanded } }
        #expect(firstDifference(outline, expected) == nil)
      }
    }
  }

  /// Outlines of two items from a number on, of which one at most has children that are not loaded.
  private static func pairs(from first: Int) -> [OutlineModel] {
    everyOutline(items: 2).flatMap { model in
      [nil, 0, 1].map { unloaded in
        var model = model
        if let unloaded { model.edit(unloaded) { $0.isUnloaded = true } }
        for item in [0, 1] { model.edit(item) { $0.id = first + item } }
        return model
      }
    }
  }

  @Test("an outline that is put into another one comes with its flags")
  func outlinesInOutlines() throws {
    let all = Self.pairs(from: 2).flatMap { new in Self.pairs(from: 0).map { ($0, new) } }
    for (start, new) in all.inScope(usual: 11) {
      let (outline, other) = (Outline(start), Outline(new))
      func check(
        _ edit: (inout Outline<Int>) throws -> Void, _ model: (inout OutlineModel) -> Void
      ) throws {
        var (edited, expected) = (outline, start)
        try edit(&edited)
        model(&expected)
        let difference = firstDifference(edited, expected)
        #expect(difference == nil, "\(other) in\n\(outline)")
      }
      try check({ try $0.append(other) }, { $0.roots += new.roots })
      for item in [0, 1] {
        try check({ try $0.append(other, to: item) }) { model in
          model.edit(item) { $0.children += new.roots }
        }
        try check({ try $0.insert(other, before: item) }) {
          $0.insert(new.roots, beside: item, offset: 0)
        }
        try check({ try $0.insert(other, after: item) }) {
          $0.insert(new.roots, beside: item, offset: 1)
        }
        try check({ try $0.replace(childrenOf: item, using: other) }) { model in
          model.edit(item) { ($0.children, $0.isUnloaded) = (new.roots, false) }
        }
        try check({ $0.setChildrenUnloaded(of: [item, 7], false) }) { model in
          model.edit(item) { $0.isUnloaded = false }
        }
      }
    }
  }

  @Test("every item before, behind and below every other one")
  func moves() {
    for start in everyOutline(items: 3) {
      for (item, other) in (0..<16).map({ ($0 / 4, $0 % 4) }) {
        let edits: [Edit] = [
          .moveBefore(item, other), .moveAfter(item, other), .moveInto(item, other),
        ]
        for edit in edits {
          var (outline, model) = (Outline(start), start)
          let difference = perform(edit, on: &outline, &model)
          #expect(difference == nil, "\(edit) of\n\(Outline(start))")
        }
      }
    }
  }

  // MARK: Edits

  /// Performs an edit on both, and answers what is wrong then.
  private func perform(
    _ edit: Edit, on outline: inout Outline<Int>, _ model: inout OutlineModel
  ) -> String? {
    let before = outline
    let fault = model.apply(edit)
    do throws(SnapshotError) {
      try edit.apply(to: &outline)
      if let fault { return "threw nothing, not \(fault)" }
    } catch {
      if error.code != fault { return "threw \(error), not \(fault ?? "nothing")" }
      if outline != before { return "changed something and threw" }
    }
    let faults = outline.rows.faults(expecting: Array(outline.rows.leaves.joined()))
    return firstDifference(outline, model) ?? faults.first
  }

  /// Every edit with these items, a new one and an unknown one.
  static func everyEdit(items: [Int]) -> [Edit] {
    let all = items + [-1]
    let arguments = [[], [100], [101, 102], [100, 100]] + items.map { [100, $0] }
    var edits: [Edit] = [.deleteAll, .delete(items), .expand(items), .collapse(items)]
    for new in arguments {
      edits.append(.append(new, nil))
      for item in all {
        edits.append(.append(new, item))
        edits.append(.insertBefore(new, item))
        edits.append(.insertAfter(new, item))
        edits.append(.replaceChildren(item, new))
      }
    }
    for item in all {
      edits.append(.setChildrenUnloaded([item]))
      edits.append(.setChildrenLoaded([item]))
      for other in all {
        edits.append(.delete([item, other]))
        edits.append(.expand([other, item]))
        edits.append(.collapse([item, other]))
        edits.append(.moveBefore(item, other))
        edits.append(.moveAfter(item, other))
        edits.append(.moveInto(item, other))
      }
    }
    return edits
  }

  /// An edit that a seed determines, one in eight of them faulty.
  static func edit(of items: [Int], _ random: inout SplitMix64, _ next: inout Int) -> Edit {
    let isFaulty = random.chance(oneIn: 8)
    var new = Array(next..<next + 1 + random.number(below: 4))
    next += new.count
    if isFaulty, let item = random.element(of: items + [new[0]]) { new.append(item) }
    guard let item = isFaulty ? -1 : random.element(of: items),
      let other = random.element(of: items)
    else { return .append(new, nil) }
    switch random.number(below: 18) {
    case 0: return .append(new, nil)
    case 1...3: return .append(new, item)
    case 4: return .insertBefore(new, item)
    case 5: return .insertAfter(new, item)
    case 6: return .delete([item, other])
    case 7: return .replaceChildren(item, new)
    case 8, 9: return .moveBefore(other, item)
    case 10, 11: return .moveAfter(other, item)
    case 12, 13: return .expand(random.sample(items, oneIn: 3))
    case 14: return .collapse(random.sample(items, oneIn: 3))
    case 15: return .moveInto(other, item)
    case 16: return .setChildrenLoaded(random.sample(items, oneIn: 2))
    default: return .setChildrenUnloaded([item])
    }
  }
}
