import Diffable
import DiffableSQLite
import DiffableSync
import Foundation

struct Errand: Identifiable, Codable, Equatable, Sendable {
  let id: Int
  var text: String
}

typealias ErrandList = ReplicatedSource<ModelBatch<String, Errand>>

func open(_ file: SQLiteFile) async throws -> ErrandList {
  var options = ReplicationOptions()
  options.author = "me"
  return try await ErrandList(file.log("errands"), options: options) { delta in
    try delta.json { try Array(JSONEncoder().encode($0)) }
  } decode: { bytes in
    try JSONDecoder().decode(ModelDelta.self, from: Data(bytes))
  }
}

let path = NSTemporaryDirectory() + "errands-\(UUID().uuidString).lists"
var file = try await SQLiteFile(path: path)
var errands = try await open(file)
try await errands.update(named: "Add errands") { draft in
  draft.appendSections(["Today"])
  let new = [Errand(id: 1, text: "bread"), Errand(id: 2, text: "milk")]
  try draft.appendItems(new, toSection: "Today")
}
let shown = try await errands.update(named: "Delete an errand") { draft in
  draft.deleteItems([1])
}.revision
let token = errands.token(for: shown)
try await errands.update { draft in
  try draft.appendItems([Errand(id: 3, text: "salt")], toSection: "Today")
}

// Later, maybe in another process.
await errands.finish()
file = try await SQLiteFile(path: path)
errands = try await open(file)
print(await errands.revision, await errands.snapshot)

for await batch in errands.updates(after: token) {
  print(batch.base.map { "what changed since \($0)" } ?? "everything")
  break
}

try await errands.undo()
print(await errands.snapshot)
