import Diffable
import DiffableSync
import DiffableTesting
import Foundation

/// What the Swift side does, for followers in other languages: the file `cases.json`.
enum SharedCases {
  /// Deltas one after another, and what there is to see after each.
  struct Following: Encodable {
    struct Section: Encodable {
      let id: String
      let items: [Int]
      let rows: [Int]?
    }

    struct Step: Encodable {
      let delta: UpdateDelta<String, Int>
      let sections: [Section]
    }

    let name: String
    let steps: [Step]
  }

  /// A delta that a mirror refuses, with the code of its error.
  struct Damaged {
    let name: String
    let delta: Data
    let code: String
  }

  /// An edit of a follower, while others change the list as well.
  struct Editing: Encodable {
    let name: String
    let edit: CaseEdit
    /// What a list that began anew has answered first: it does not know the state.
    var unknown: String?
    /// What the follower has heard of others after it made the edit, and before it is sent.
    let heard: [ModelDelta<String, Note>]
    /// What it shows then.
    let shown: [CaseSection]
    let proposal: String?
    let answer: String?
    /// What it hears after the answer.
    let stream: [ModelDelta<String, Note>]
    let end: [CaseSection]
    /// What there is after a mirror in Swift has made the edit, and has taken it back after the answer.
    var undone: [CaseSection]?
  }

  static let id = "AAAAAAAAAAAAAAAAAAAAAQ"

  /// The list of all cases with edits.
  static func start(epoch: String = CaseList.epoch) async throws -> CaseList {
    try await CaseList(["s": ["a", "b", "c", "d"], "t": ["x", "y"], "u": []], epoch: epoch)
  }

  // MARK: Following

  static func following() async throws -> [Following] {
    var cases: [Following] = []
    for seed in 0..<6 as Range<UInt64> {
      let hasOutlines = seed % 2 == 1
      var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
      let epoch = Epoch("AAAAAAAAAAAAAAAAAAAAAA") ?? Epoch()
      let source = DataSourceActor<String, Int>(options: SourceOptions(epoch: epoch))
      var batches = source.updates().makeAsyncIterator()
      var steps: [Following.Step] = []
      try await source.apply(generator.snapshot(sections: 3, items: 10))
      for index in 0..<12 {
        guard let batch = await batches.next() else { break }
        let snapshot = batch.snapshot
        let sections = snapshot.sectionIdentifiers.map { section in
          Following.Section(
            id: section, items: Array(snapshot.items(inSection: section)),
            rows: snapshot.outline(ofSection: section).map { Array($0.items) })
        }
        steps.append(Following.Step(delta: batch.delta, sections: sections))
        let old = await source.revision
        while await source.revision == old {
          let shown = await source.snapshot
          if hasOutlines, index % 3 == 1 {
            // The edits are recorded: they are of the kinds that there have always been.
            let isFlat = shown.sectionIdentifiers.allSatisfy {
              shown.outline(ofSection: $0) == nil
            }
            let edit = isFlat ? generator.edit(of: shown) : generator.outlineEdit(of: shown)
            try await source.update { _ = try? edit.apply(to: &$0) }
          } else {
            try await source.apply(generator.changing(shown, changesOutlines: hasOutlines))
          }
        }
      }
      cases.append(Following(name: "seed \(seed)", steps: steps))
    }
    return cases
  }

  // MARK: Damage

  /// A delta with all kinds of changes, the state that it starts from, and what is wrong with others like it.
  static func damaged() async throws -> (
    base: ModelDelta<String, Note>, delta: ModelDelta<String, Note>, cases: [Damaged]
  ) {
    var list = try await start()
    let base = try await list.delta()
    try await list.source.update { draft in
      draft.deleteItems(["b", "x"])
      try draft.moveItem("d", beforeItem: "a")
      try draft.appendItems([Note(id: "e", title: "new")], toSection: "u")
      draft.appendSections(["v"])
      try draft.appendItems([Note(id: "f", title: "new")], toSection: "v")
      try draft.update("c") { $0.title = "changed" }
    }
    let delta = try await list.delta()
    let sound = try JSONEncoder().encode(delta)
    var cases: [Damaged] = []
    for (name, damage) in damages {
      guard var fields = try JSONSerialization.jsonObject(with: sound) as? [String: Any] else {
        continue
      }
      damage(&fields)
      let text = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
      let mirror = MirrorSource<CaseList.Batch>()
      try await mirror.apply(base)
      var code = "none"
      do {
        try await mirror.apply(text) { try JSONDecoder().decode(ModelDelta.self, from: $0) }
      } catch {
        code = error.code
      }
      cases.append(Damaged(name: name, delta: text, code: code))
    }
    return (base, delta, cases)
  }

  private static var damages: KeyValuePairs<String, (inout [String: Any]) -> Void> {
    [
      "another format": { $0["format"] = 2 },
      "no format": { $0["format"] = nil },
      "a format as text": { $0["format"] = "1" },
      "another base": { $0["base"] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
      "no target": { $0["target"] = nil },
      "no counts": { $0["counts"] = nil },
      "another count of items": { $0["counts"] = ["sections": 4, "items": 7] },
      "another count of sections": { $0["counts"] = ["sections": 3, "items": 6] },
      "no difference": { $0["difference"] = nil },
      "a difference as text": { $0["difference"] = "none" },
      "no inserted items": { $0["items"] = nil },
      "too many inserted items": { $0["items"] = ["e", "g"] },
      "no inserted sections": { $0["sections"] = nil },
      "an inserted item without a model": {
        $0["models"] = [["id": "f", "title": "new", "isDone": false]]
      },
      "no models": { $0["models"] = nil },
      "an item twice": { $0["items"] = ["a"] },
      "a section twice": { $0["sections"] = [["id": "s", "items": ["f"]]] },
      "a deletion out of range": { $0.change("itemDeletes", [[0, 9, 10], [1, 0, 1]]) },
      "a deletion in no section": { $0.change("itemDeletes", [[0, 1, 2], [9, 0, 1]]) },
      "a deletion of more positions than there is memory for": {
        $0.change("itemDeletes", [[0, 0, 9_007_199_254_740_991]])
      },
      "a negative position": { $0.change("itemDeletes", [[0, -1, 0], [1, 0, 1]]) },
      "a range that ends before it begins": { $0.change("itemDeletes", [[0, 2, 1], [1, 0, 1]]) },
      "a range with a fraction": { $0.change("itemDeletes", [[0, 1.5, 2], [1, 0, 1]]) },
      "an insertion far behind the end": { $0.change("itemInserts", [[2, 5, 6]]) },
      "a move from nowhere": {
        $0.change(
          "itemMoves", [["from": ["section": 0, "item": 8], "to": ["section": 0, "item": 0]]])
      },
      "a move of what is deleted": {
        $0.change(
          "itemMoves", [["from": ["section": 0, "item": 1], "to": ["section": 0, "item": 0]]])
      },
      "a move to nowhere": {
        $0.change(
          "itemMoves", [["from": ["section": 0, "item": 3], "to": ["section": 0, "item": 9]]])
      },
      "a section inserted far behind the end": { $0.change("sectionInserts", [[9, 10]]) },
      "a section deleted out of range": { $0.change("sectionDeletes", [[7, 8]]) },
      "a rename without a name": { $0.change("itemRenames", [[0, 0, 1]]) },
      "an outline changed that is none": {
        $0.change("outlineChanges", [[0, 1]])
        $0["outlines"] = [["splices": [["at": 0, "remove": 0, "rows": [["id": "z"]]]]]]
      },
    ]
  }
}

extension [String: Any] {
  /// Gives a field of the difference another value.
  fileprivate mutating func change(_ name: String, _ value: Any) {
    var difference = self["difference"] as? [String: Any] ?? [:]
    difference[name] = value
    self["difference"] = difference
  }
}
