import Diffable
import DiffableSync
import Foundation

#if NATS
import DiffableNATS
#endif

/// The list of the processes of one machine, as other machines see it.
typealias SharedList = ReplicatedSource<ProcessBatch>

/// Where lists are shared.
struct ClusterAddress: Equatable, Sendable {
  /// The addresses of servers of NATS.
  var urls = ["nats://127.0.0.1:4222"]

  /// What the names of lists begin with in the servers, which other programs may use, too.
  private static let prefix = "livelist-"

  /// Opens the list of a machine; makes it if there is none.
  func open(_ machine: String) async throws -> SharedList {
    #if NATS
    return try await SharedList.open(
      try NATSRevisionLog(urls: urls, name: Self.prefix + machine))
    #else
    throw NoNATS()
    #endif
  }

  /// The names of the machines that share their processes, in order.
  func machines() async throws -> [String] {
    #if NATS
    return try await NATSRevisionLog.names(urls: urls)
      .filter { $0.hasPrefix(Self.prefix) }
      .map { String($0.dropFirst(Self.prefix.count)) }
      .sorted()
    #else
    throw NoNATS()
    #endif
  }
}

extension SharedList {
  /// Opens the list that a log keeps.
  static func open(
    _ log: any RevisionLog, _ options: ReplicationOptions = ReplicationOptions()
  ) async throws -> SharedList {
    var options = options
    // A list changes every second, and nobody needs what it was some minutes ago.
    options.revisionsPerState = 60
    options.revisionsKept = 60
    return try await SharedList(log, options: options) {
      try $0.json { try Array(JSONEncoder().encode($0)) }
    } decode: {
      try JSONDecoder().decode(ModelDelta.self, from: Data($0))
    }
  }
}

/// Why lists cannot be shared.
struct NoNATS: Error, CustomStringConvertible {
  var description: String {
    """
    this livelist was built without NATS. Install the C client of NATS (libnats-dev in Debian), \
    and run “swift run --traits NATS livelist …”
    """
  }
}
