// error: main actor-isolated property 'search' can not be referenced from a Sendable closure
import Diffable
import DiffableQueries

final class Finder {
  var search = ""
  let source = DataSourceActor<String, String>()

  func find() -> some ListSource<String, String> {
    source.derived { $0.filter { $0.contains(self.search) } }
  }
}
