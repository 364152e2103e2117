import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a server says of itself.
struct Report: Decodable {
  var meta_cluster: Meta?
  var account_details: [Account]?

  struct Meta: Decodable {
    var leader: String?
    var replicas: [Replica]?
  }
  struct Replica: Decodable {
    var current: Bool
  }
  struct Account: Decodable {
    var stream_detail: [Stream]?
  }
  struct Stream: Decodable {
    var name: String
    var cluster: Meta?
  }
}

extension Server {
  func report(_ path: String) async throws -> Report {
    try JSONDecoder().decode(Report.self, from: try await fetch(path).data)
  }

  /// Answers whether the server says that it works, and has caught up with the others.
  public func isHealthy() async throws -> Bool {
    try await fetch("healthz").status == 200
  }

  private func fetch(_ path: String) async throws -> (data: Data, status: Int) {
    guard let url = URL(string: "http://127.0.0.1:\(monitoringPort)/\(path)") else {
      throw ServerError("\(path) is not a path")
    }
    let request = URLRequest(url: url, timeoutInterval: 5)
    let (data, response) = try await URLSession.shared.data(for: request)
    return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
  }
}
