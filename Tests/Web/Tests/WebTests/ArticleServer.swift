import Diffable
import DiffableSync
import Hummingbird
import HummingbirdCore

@testable import WebLists

/// Serves a list, to everybody who reaches the port.
func server<Source: ListSource>(
  of list: Source, port: Int
) -> some ApplicationProtocol where Source.Batch: DeltaBatch, Source.Batch.Delta: Encodable {
  let encoding = DeltaEncoding<Source.Batch>()
  let router = Router()
  router.get("list") { request, _ in
    list.response(to: request, options: DeltaEventOptions(), encoding: encoding)
  }
  return Application(
    router: router, server: ConnectionLimits().server,
    configuration: ApplicationConfiguration(
      address: .hostname("127.0.0.1", port: port),
      // More wait until others end.
      availableConnectionsDelegate: MaximumAvailableConnections(256)))
}
