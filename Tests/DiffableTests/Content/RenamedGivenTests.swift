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
      for choice in 0..<8 {
        let chosen = rows.filter { choice & 1 << ($0 - 1) != 0 }
        var given = GivenContent<String, Int>()
        given.set(contentsOf: chosen.map { Card(id: $0, text: "of \($0)") }, kernels)
        let (renamed, lost) = given.renaming(renames, kernels)
        #expect(lost.isEmpty)
        for (row, name) in zip(rows, names) {
          let model = renamed.withModel(of: name) {
            $0?.assumingMemoryBound(to: Card.self).pointee
          }
          let expected = chosen.contains(row) ? Card(id: name, text: "of \(row)") : nil
          #expect(model == expected, "\(chosen) get the names \(names)")
        }
      }
    }
  }
}
