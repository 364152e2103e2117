// error: actor-isolated property 'revision' can not be referenced from the main actor
import Diffable

@MainActor func revision(_ source: DataSourceActor<String, Int>) -> Revision {
  source.revision
}
