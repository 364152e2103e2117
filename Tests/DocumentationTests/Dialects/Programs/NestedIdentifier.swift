// error: main actor-isolated conformance of 'Screen.Row' to 'Hashable' cannot satisfy conformance requirement for a 'Sendable' type parameter 'ItemID'
import Diffable

final class Screen {
  /* nonisolated */ enum Row: Hashable { case name(String), footer }

  let rows = DataSourceActor<String, Row>()
}
