// error: type 'Stored' does not conform to protocol 'Encodable'
// error: cannot convert value of type 'Revision' to expected argument type 'ResumeToken'
import Diffable

private struct Stored: Codable {
  var shown: Revision
}

private func resume(_ source: DataSourceActor<String, Int>, after stored: Stored) {
  _ = source.updates(after: stored.shown)
}
