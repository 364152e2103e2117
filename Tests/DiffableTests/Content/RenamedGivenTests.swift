import ListSupport
import Testing

@testable import Diffable
@testable import DiffableEngine

@Suite("Models that an edit gives follow their rows to other names")
struct RenamedGivenTests {
  @Test("Every choice of models, and every way to rename three rows")
  func everyWay() {
    let kernels = Snapshot<String, Int>.makeKernels(models: ElementKernel(models: Card.self))
    let rows = 1...3
    let ways = rows.reduce([[Int]()]) { lists, _ in
      lists.flatMap { list in (1...5).filter { !list.contains($0) }.map { list + [$0] } }
    }
    for names in ways {
      var renames = ItemRenames<Int>()
      renames.formUnion(
        zip(rows, names).filter { $0 != $1 }.map { ItemRename(old: $0, new: $1) })
      for choice in 0..<32 {
        let chosen = rows.filter { choice & 1 << ($0 - 1) != 0 }
        // A model that is given under a new name already is newer.
        let own = (4...5).filter { choice & 1 << ($0 - 1) != 0 }
        var given = GivenContent<String, Int>()
        given.set(contentsOf: chosen.map { Card(id: $0, text: "of \($0)") }, kernels)
        given.set(contentsOf: own.map { Card(id: $0, text: "own") }, kernels)
        let (renamed, lost) = given.renaming(renames, kernels)
        #expect(lost.isEmpty)
        func model(of name: Int) -> Card? {
          renamed.withModel(of: name) { $0?.assumingMemoryBound(to: Card.self).pointee }
        }
        for (row, name) in zip(rows, names) where !own.contains(name) {
          let expected = chosen.contains(row) ? Card(id: name, text: "of \(row)") : nil
          #expect(model(of: name) == expected, "\(chosen) get the names \(names)")
        }
        for name in own {
          #expect(model(of: name)?.text == "own", "\(chosen), \(own), \(names)")
        }
      }
    }
  }
}
