// error: for-in loop requires
// to conform to 'Sequence'
import Diffable

private func follow(_ source: DataSourceActor<String, Int>) async {
  for batch in source.updates() { print(batch) }
}
