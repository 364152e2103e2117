import Testing

@testable import DiffableNATS

struct ServerVersionTests {
  @Test(arguments: [
    ("2.9.10", true), ("2.9", true), ("2.10.24", true), ("2.10.25-beta.1", false),
    ("2.10.25", false), ("2.11.0", false), ("2.100.0", false), ("10.0.0", false),
  ])
  func `Versions are compared by their numbers`(text: String, isOld: Bool) throws {
    let version = try #require(
      ServerVersion(inGreeting: #"INFO {"server_id":"N","version":"\#(text)","go":"go1.19"}"#))
    #expect((version < .oldest) == isOld)
  }

  @Test(arguments: ["", "INFO {}", #"INFO {"version""#, #"INFO {"version":"x"}"#, "HTTP/1.1 400"])
  func `What is no greeting has no version`(text: String) {
    #expect(ServerVersion(inGreeting: text) == nil)
  }
}
