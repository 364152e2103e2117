import Diffable
import DiffableSQLite
import DiffableSync
import Foundation

struct Task: Identifiable, Codable, Equatable, Sendable {
  let id: Int
  var text: String
}

typealias TaskList = ReplicatedSource<ModelBatch<String, Task>>

func open(_ file: SQLiteFile) async throws -> TaskList {
  var options = ReplicationOptions()
  options.author = "me"
  return try await TaskList(file.log("tasks"), options: options) { delta in
    try delta.json { try Array(JSONEncoder().encode($0)) }
  } decode: { bytes in
    try JSONDecoder().decode(ModelDelta.self, from: Data(bytes))
  }
}

let path = NSTemporaryDirectory() + "tasks-\(UUID().uuidString).lists"
var file = try await SQLiteFile(path: path)
var tasks = try await open(file)
try await tasks.update(named: "Add tasks") { draft in
  draft.appendSections(["Today"])
  let new = [Task(id: 1, text: "bread"), Task(id: 2, text: "milk")]
  try draft.appendItems(new, toSection: "Today")
}
let shown = try await tasks.update(named: "Delete a task") { draft in
  draft.deleteItems([1])
}
let token = tasks.token(for: shown)
try await tasks.update { draft in
  try draft.appendItems([Task(id: 3, text: "salt")], toSection: "Today")
}

// Later, maybe in another process.
await tasks.finish()
file = try await SQLiteFile(path: path)
tasks = try await open(file)
print(await tasks.revision, await tasks.snapshot)

for await batch in tasks.updates(after: token) {
  print(batch.base.map { "what changed since \($0)" } ?? "everything")
  break
}

try await tasks.undo()
print(await tasks.snapshot)
