// error: call to main actor-isolated global function 'isShort' in a synchronous nonisolated context
import Diffable
import DiffableQueries

/* nonisolated */ func isShort(_ name: String) -> Bool { name.count < 5 }

func short(_ source: DataSourceActor<String, String>) -> some ListSource<String, String> {
  source.derived { $0.filter { isShort($0) } }
}
