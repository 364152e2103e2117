import DiffableWeb
import Testing

@Suite("A module of a server")
struct CachingTests {
  @Test("is found by its name, and nothing else is")
  func names() {
    for module in WebModule.all { #expect(WebModule(named: module.name) == module) }
    for name in ["", "list", "/list.js", "../list.js", "LIST.JS", "list.js ", "list.d.ts"] {
      #expect(WebModule(named: name) == nil, "\(name)")
    }
  }

  @Test("has a validator of its own, in the characters of RFC 9110")
  func validators() {
    #expect(Set(WebModule.all.map(\.etag)).count == WebModule.all.count)
    for module in WebModule.all {
      #expect(module.etag.wholeMatch(of: /"[a-z0-9]{1,13}"/) != nil, "\(module.etag)")
    }
  }

  @Test("is current where its validator is among those of the browser")
  func current() {
    let module = WebModule.follow
    let etag = module.etag
    for header in [
      etag, "W/\(etag)", "\"a\", \(etag)", "\"a\",\(etag) , \"b\"", "*", " * ", "\t\(etag)\t",
    ] {
      #expect(module.isCurrent(ifNoneMatch: header), "\(header)")
    }
    for header in [
      nil, "", " ", ",", "\"\"", "\"a\"", String(etag.dropFirst().dropLast()), "w/\(etag)",
      "W/ \(etag)", WebModule.list.etag, String(etag.dropLast()),
    ] {
      #expect(!module.isCurrent(ifNoneMatch: header), "\(header ?? "none")")
    }
  }
}
