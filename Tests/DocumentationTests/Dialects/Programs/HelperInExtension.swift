// error: main actor-isolated property 'isShort' can not be referenced from a Sendable closure
import Diffable
import DiffableQueries

/* nonisolated */ extension String {
  var isShort: Bool { count < 5 }
}

func short(_ source: DataSourceActor<String, String>) -> some ListSource<String, String> {
  source.derived { $0.filter { $0.isShort } }
}
