// error: 'sectionModels(id:_:)' is unavailable: a list of identifiers has no models: derive from a 'ModelSource'
import Diffable
import DiffableQueries

private func counts(in numbers: DataSourceActor<String, Int>) {
  _ = numbers.derived { $0.sectionModels { "\($0): \($1)" } }
}
