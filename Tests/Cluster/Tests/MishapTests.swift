import Diffable
import DiffableNATS
import DiffableSync
import Foundation
import Servers
import SharedNumbers
import Testing

/// What operators, strangers and full disks do to a log.
@Suite(.timeLimit(.minutes(5)))
struct MishapTests {
  private func log(_ cluster: Cluster) throws -> NATSRevisionLog {
    try NATSRevisionLog(urls: cluster.urls, name: "list", options: .patient)
  }

  private func open(_ cluster: Cluster, perState: Int = .max) async throws -> SharedNumbers {
    var options = ReplicationOptions()
    options.revisionsPerState = perState
    options.checkInterval = .milliseconds(200)
    return try await SharedNumbers.open(try log(cluster), options)
  }

  private func ask(_ cluster: Cluster, _ subject: String, _ payload: String = "") throws {
    let answer = try RawClient.request("$JS.API." + subject, payload, to: cluster.servers[0])
    #expect(!answer.contains("\"error\""), "\(answer)")
  }

  @Test func `After a purge participants go on, and new ones can start`() async throws {
    try await Cluster.with { cluster in
      let (first, second) = (try await open(cluster), try await open(cluster))
      for number in 0..<10 { try await first.add(number) }
      try await second.reached(Revision(10))
      try ask(cluster, "STREAM.PURGE.list")
      let third = try await eventually("a state is stored") {
        try await self.open(cluster)
      }
      try await third.reached(Revision(10))
      try await third.add(10)
      try await second.add(11)
      try await first.reached(Revision(12))
      for list in [first, second, third] {
        try await list.reached(Revision(12))
        #expect(await list.snapshot.itemIdentifiers == Array(0..<12))
      }
      #expect(try await log(cluster).epoch() == first.epoch)
    }
  }

  @Test func `After a purge a list opens with what others have`() async throws {
    try await Cluster.with { cluster in
      let (first, log) = (try await open(cluster, perState: 5), try log(cluster))
      for number in 0..<5 { try await first.add(number) }
      try await eventually("a state is stored") {
        try await log.newestState()?.revision == Revision(5)
      }
      for number in 5..<8 { try await first.add(number) }
      try ask(cluster, "STREAM.PURGE.list")
      let second = try await open(cluster)
      #expect(await second.revision == Revision(8))
    }
  }

  @Test func `The first message may be lost`() async throws {
    try await Cluster.with { cluster in
      let first = try await open(cluster)
      for number in 0..<3 { try await first.add(number) }
      try ask(cluster, "STREAM.MSG.DELETE.list", #"{"seq":1}"#)
      let second = try await open(cluster)
      try await second.reached(Revision(3))
      try await second.add(3)
      try await first.reached(Revision(4))
      #expect(await first.snapshot == second.snapshot)
    }
  }

  @Test func `Who may write and not read gets an error at once`() async throws {
    let settings = """
      authorization { users: [
        { user: writer, password: secret }
        { user: blind, password: secret, permissions: { publish: { deny: "$JS.API.CONSUMER.>" } } }
      ] }
      """
    try await Cluster.with(settings: settings) { cluster in
      func open(_ name: String) async throws -> SharedNumbers {
        var options = NATSRevisionLog.Options()
        options.credentials = .user(name: name, password: "secret")
        let log = try NATSRevisionLog(urls: cluster.urls, name: "list", options: options)
        return try await SharedNumbers.open(log, ReplicationOptions())
      }
      let (writer, blind) = (try await open("writer"), try await open("blind"))
      try await writer.add(0)
      await #expect {
        while true { try await blind.add(1) }
      } throws: {
        switch $0 {
        case ReplicationError.log(.rejected), ReplicationError.timedOut: true
        default: false
        }
      }
    }
  }

  /// The state before it is there, and it is found out which one is damaged.
  @Test func `A damaged state is passed over`() async throws {
    try await Cluster.with { cluster in
      let log = try log(cluster)
      for revision in 0..<4 {
        try await LogContract.append(LogContract.entry("\(revision)"), after: revision, to: log)
      }
      let (old, new) = (LogContract.state(2, bytes: 900_000), LogContract.state(4, bytes: 900_000))
      try await log.store(old, droppingEntriesThrough: .empty)
      try await log.store(new, droppingEntriesThrough: .empty)
      #expect(try await log.newestState() == new)
      #expect(try await log.state(before: Revision(4)) == old)
      #expect(try await log.state(before: Revision(2)) == nil)
      #expect(log.takeWarnings().allSatisfy { !"\($0)".contains("damaged") })
      try ask(cluster, "STREAM.MSG.DELETE.list-pieces", #"{"seq":3}"#)
      #expect(try await log.newestState() == old)
      #expect(log.takeWarnings().contains { "\($0)".contains("The state of r4") })
      // The next one replaces it.
      let next = LogContract.state(5, bytes: 10)
      try await log.store(next, droppingEntriesThrough: .empty)
      #expect(try await self.log(cluster).newestState() == next)
    }
  }

  /// A text of each error that says what to do.
  private func refusal(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "no error"
    } catch RevisionLogError.rejected(let reason) {
      return reason
    } catch {
      return "another error: \(error)"
    }
  }

  @Test(arguments: ["max_msgs\":3", "max_bytes\":2000", "max_msg_size\":400"])
  func `Limits of a stream are named`(limit: String) async throws {
    try await Cluster.with { cluster in
      let settings =
        #"{"name":"list","subjects":["list.log.*"],"storage":"file","discard":"new","num_replicas":1,"#
        + "\"\(limit)}"
      try ask(cluster, "STREAM.CREATE.list", settings)
      let log = try log(cluster)
      let reason = await refusal {
        for revision in 0..<9 {
          let entry = LogEntry(id: WriteID(), delta: Array(repeating: 1, count: 500))
          _ = try await log.append(entry, after: Revision(revision))
        }
      }
      #expect(reason.contains("aise"), "\(reason)")
    }
  }

  @Test func `A full disk is named`() async throws {
    try await Cluster.with(storage: "max_file_store: 400KB") { cluster in
      let log = try log(cluster)
      let reason = await refusal {
        for revision in 0..<9 {
          let entry = LogEntry(id: WriteID(), delta: Array(repeating: 1, count: 100_000))
          _ = try await log.append(entry, after: Revision(revision))
        }
      }
      #expect(reason.contains("Free space"), "\(reason)")
      let list = try NATSRevisionLog(urls: cluster.urls, name: "other", options: .patient)
      let other = await refusal {
        try await list.store(LogContract.state(1, bytes: 900_000), droppingEntriesThrough: .empty)
      }
      #expect(other.contains("Free space"), "\(other)")
    }
  }

  /// Makes a certificate for this machine that is its own authority.
  private func makeCertificate(in folder: URL, named name: String) throws
    -> NATSRevisionLog.Certificate
  {
    let certificate = NATSRevisionLog.Certificate(
      chain: folder.path + "/\(name).pem", key: folder.path + "/\(name)-key.pem")
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    openssl.arguments = [
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", certificate.key,
      "-out", certificate.chain, "-days", "2", "-subj", "/CN=\(name)", "-addext",
      "subjectAltName=IP:127.0.0.1",
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    return certificate
  }

  @Test func `Certificates and credentials are named`() async throws {
    try await withFolder { folder in
      let server = try makeCertificate(in: folder, named: "server")
      let settings = "tls { cert_file: \"\(server.chain)\", key_file: \"\(server.key)\" }"
      try await Cluster.with(settings: settings) { cluster in
        #expect(await refusal(by: cluster) { _ in }.contains("authorities"))
        #expect(await refusal(by: cluster) { $0.encryption = .always() }.contains("authorities"))
        let wrong = await refusal(by: cluster) { $0.encryption = .always(authorities: server.key) }
        #expect(wrong.contains(server.key))
        let known = await refusal(by: cluster) {
          $0.encryption = .always(authorities: server.chain)
        }
        #expect(known == "no error")
        let (none, junk) = (folder.path + "/none", folder.path + "/junk")
        try "neither a token nor a key".write(toFile: junk, atomically: true, encoding: .utf8)
        for path in [none, junk] {
          let certificate = NATSRevisionLog.Certificate(chain: server.chain, key: path)
          let refusals = [
            await refusal(by: cluster) {
              $0.credentials = .file(path: path)
              $0.encryption = .always(authorities: server.chain)
            },
            await refusal(by: cluster) { $0.encryption = .always(authorities: path) },
            await refusal(by: cluster) { $0.encryption = .always(certificate: certificate) },
          ]
          for reason in refusals {
            #expect(reason.contains(path) && !reason.contains("error:"), "\(reason)")
            #expect(reason.contains("cannot be read") == (path == none), "\(reason)")
            #expect(!reason.contains("encryption"), "\(reason)")
          }
        }
      }
    }
  }

  @Test func `Servers without JetStream are named`() async throws {
    try await Cluster.with(settings: "jetstream: disabled") { cluster in
      let reason = await refusal(by: cluster) { $0.timeout = .seconds(1) }
      #expect(reason.contains("enable JetStream"), "\(reason)")
      // The library leaves no text of its own.
      #expect(!reason.contains(":  "), "\(reason)")
    }
  }

  @Test func `A permission that is missing is named`() async throws {
    let settings = """
      authorization { users: [
        { user: stranger, password: secret, permissions: { publish: "list.>", subscribe: "_INBOX.>" } }
        { user: deaf, password: secret, permissions: { subscribe: { deny: "_INBOX.>" } } }
      ] }
      """
    try await Cluster.with(settings: settings) { cluster in
      for (name, subject) in [("stranger", "$JS.API.STREAM"), ("deaf", "_INBOX")] {
        var options = NATSRevisionLog.Options()
        options.credentials = .user(name: name, password: "secret")
        options.timeout = .seconds(1)
        let log = try NATSRevisionLog(urls: cluster.urls, name: "list", options: options)
        for reason in [
          await refusal { _ = try await log.epoch() },
          await refusal {
            _ = try await NATSRevisionLog.names(urls: cluster.urls, options: options)
          },
        ] {
          #expect(reason.contains(subject) && reason.contains("permissions"), "\(reason)")
        }
      }
    }
  }

  @Test func `A list is written where servers demand certificates and a token`() async throws {
    try await withFolder { folder in
      let server = try makeCertificate(in: folder, named: "server")
      let client = try makeCertificate(in: folder, named: "client")
      let stranger = try makeCertificate(in: folder, named: "stranger")
      let settings = """
        tls {
          cert_file: "\(server.chain)", key_file: "\(server.key)"
          ca_file: "\(client.chain)", verify: true
        }
        authorization { token: "open sesame" }
        """
      try await Cluster.with(settings: settings) { cluster in
        func options(
          _ certificate: NATSRevisionLog.Certificate?, _ token: String?
        ) -> NATSRevisionLog.Options {
          var options = NATSRevisionLog.Options.patient
          options.encryption = .always(authorities: server.chain, certificate: certificate)
          if let token { options.credentials = .token(token) }
          return options
        }
        func open() async throws -> SharedNumbers {
          let log = try NATSRevisionLog(
            urls: cluster.urls, name: "list", options: options(client, "open sesame"))
          return try await SharedNumbers.open(log, ReplicationOptions())
        }
        let (first, second) = (try await open(), try await open())
        for number in 0..<5 { try await first.add(number) }
        try await second.reached(Revision(5))
        try await second.add(5)
        try await first.reached(Revision(6))
        #expect(await first.snapshot.itemIdentifiers == Array(0..<6))

        for (certificate, token) in [
          (nil, "open sesame"), (stranger, "open sesame"), (client, nil), (client, "open barley"),
        ] {
          let refused = await refusal(by: cluster) { $0 = options(certificate, token) }
          #expect(refused != "no error", "\(String(describing: certificate)), \(token ?? "")")
          #expect(!refused.contains("open"), "a secret is told: \(refused)")
          if token == "open sesame" { #expect(refused.contains("certificate"), "\(refused)") }
        }
      }
    }
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("certificates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  /// Why servers do not let a log in.
  private func refusal(
    by cluster: Cluster, _ change: (inout NATSRevisionLog.Options) -> Void
  ) async -> String {
    var options = NATSRevisionLog.Options.patient
    change(&options)
    let log = try? NATSRevisionLog(urls: cluster.urls, name: "list", options: options)
    return await refusal { _ = try await log?.epoch() }
  }
}
