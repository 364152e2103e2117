// error: actor-isolated property 'revision' can not be referenced from the main actor
import Diffable

@MainActor private func revision(_ source: DataSourceActor<String, Int>) -> Revision {
  source.revision
}
