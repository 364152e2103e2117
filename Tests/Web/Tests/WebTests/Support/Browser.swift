import Foundation

/// A browser without a screen, and the page it shows.
struct Browser: Sendable {
  private let session: URL

  /// A name of this machine that is another one's to the browser: it takes less from there without encryption.
  static let plainHost = "plain.test"

  /// How long a condition may take to come true, in milliseconds.
  private static let patience = 120_000

  static func start(_ driver: URL) async throws -> Browser {
    struct Session: Decodable {
      let sessionId: String
    }
    let options = [
      "args": [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--window-size=1000,700", "--host-resolver-rules=MAP \(plainHost) 127.0.0.1",
      ]
    ]
    let session: Session = try await call(
      "POST", driver.appendingPathComponent("session"),
      ["capabilities": ["alwaysMatch": ["goog:chromeOptions": options]]])
    let browser = Browser(session: driver.appendingPathComponent("session/\(session.sessionId)"))
    let _: String? = try await browser.post("timeouts", ["script": patience])
    return browser
  }

  func quit() async throws {
    let _: String? = try await Self.call("DELETE", session, nil)
  }

  /// Opens an address, and waits until the page has been loaded.
  func open(_ address: URL) async throws {
    let _: String? = try await post("url", ["url": address.absoluteString])
  }

  /// Gives the page the size of a phone's, or another one.
  func resize(width: Int, height: Int, isPhone: Bool = false) async throws {
    let metrics: [String: any Sendable] = [
      "width": width, "height": height, "deviceScaleFactor": 1, "mobile": isPhone,
    ]
    try await command("Emulation.setDeviceMetricsOverride", metrics)
    try await command("Emulation.setTouchEmulationEnabled", ["enabled": isPhone])
  }

  /// Sends a command of the DevTools protocol of Chromium.
  func command(_ name: String, _ parameters: [String: any Sendable]) async throws {
    let _: [String: String] = try await post(
      "goog/cdp/execute", ["cmd": name, "params": parameters])
  }

  /// Opens another tab, and goes on there.
  func openTab() async throws {
    let tab: [String: String] = try await post("window/new", ["type": "tab"])
    let _: String? = try await post("window", ["handle": tab["handle"] ?? ""])
  }

  /// The value of an expression in the page.
  func value<Value: Decodable & Sendable>(
    of expression: String, as type: Value.Type = Value.self
  ) async throws -> Value {
    try await post("execute/sync", ["script": "return \(expression)", "args": [String]()])
  }

  /// Lets statements run in the page that call `done(result)` at last.
  func result<Value: Decodable & Sendable>(
    of script: String, _ arguments: [any Sendable] = []
  ) async throws -> Value {
    let script = "const done = arguments[arguments.length - 1]; \(script)"
    return try await post("execute/async", ["script": script, "args": arguments])
  }

  /// Waits until an expression is true in the page.
  ///
  /// It looks often, but not whenever the browser draws: a browser that need not draw costs the others nothing.
  func wait(until condition: String) async throws {
    do {
      let _: Bool = try await result(
        of: """
          const holds = () => { try { return \(condition) } catch { return false } }
          const look = () => holds() ? done(true) : setTimeout(look, 20)
          look()
          """)
    } catch {
      let state: String? = try? await value(
        of: "JSON.stringify([document.body?.innerText.slice(0, 500), window.follower])")
      throw BrowserFault("not true: \(condition)\n\(error)\n\(state ?? "there is no page")")
    }
  }

  /// Types into what a selector finds.
  func type(_ text: String, into selector: String) async throws {
    let element: [String: String] = try await post(
      "element", ["using": "css selector", "value": selector])
    guard let id = element.values.first else { throw BrowserFault("\(selector) finds nothing") }
    let _: String? = try await post("element/\(id)/value", ["text": text])
  }

  /// Presses keys on what has the focus; U+E000 to U+E05D are keys without a character, see WebDriver.
  func press(_ keys: String) async throws {
    let steps = keys.map { ["type": "keyDown", "value": String($0)] }
    let ends = keys.reversed().map { ["type": "keyUp", "value": String($0)] }
    try await act(["type": "key", "id": "keys", "actions": steps + ends])
  }

  /// Drags with the mouse from the middle of what one selector finds to that of another.
  func drag(from start: String, to end: String) async throws {
    func move(_ point: [Int]) -> [String: any Sendable] {
      ["type": "pointerMove", "x": point[0], "y": point[1], "duration": 100]
    }
    let (from, to) = (try await middle(of: start), try await middle(of: end))
    let steps: [[String: any Sendable]] = [
      move(from), ["type": "pointerDown", "button": 0], move([to[0], to[1] - 8]), move(to),
      ["type": "pointerUp", "button": 0],
    ]
    try await act(["type": "pointer", "id": "mouse", "actions": steps])
  }

  /// The middle of what a selector finds, in the page as it is scrolled.
  func middle(of selector: String) async throws -> [Int] {
    try await value(
      of: """
        (({ left, top, width, height }) => [left + width / 2, top + height / 2].map(Math.round))(
          document.querySelector("\(selector)").getBoundingClientRect())
        """)
  }

  /// Puts a finger somewhere, moves it or, without a point, takes it away.
  func touch(_ kind: Touch, _ point: [Int] = []) async throws {
    let points: [[String: any Sendable]] = point.isEmpty ? [] : [["x": point[0], "y": point[1]]]
    try await command(
      "Input.dispatchTouchEvent", ["type": "touch\(kind.rawValue)", "touchPoints": points])
  }

  /// Touches the middle of what a selector finds, and takes the finger away at once.
  func tap(_ selector: String) async throws {
    try await touch(.start, middle(of: selector))
    try await touch(.end)
  }

  private func act(_ input: [String: any Sendable]) async throws {
    let _: String? = try await post("actions", ["actions": [input]])
  }

  private func post<Value: Decodable & Sendable>(
    _ command: String, _ parameters: [String: any Sendable]
  ) async throws -> Value {
    try await Self.call("POST", session.appendingPathComponent(command), parameters)
  }

  private static func call<Value: Decodable & Sendable>(
    _ method: String, _ address: URL, _ parameters: [String: any Sendable]?
  ) async throws -> Value {
    let body = try parameters.map { try JSONSerialization.data(withJSONObject: $0) }
    let reply = try await HTTPReply.to(
      address, method: method, headers: ["Content-Type": "application/json"], body: body ?? Data())
    guard reply.status == 200 else { throw BrowserFault(String(reply.text.prefix(500))) }
    let data = Data(reply.text.utf8)
    return try JSONDecoder().decode(Answer<Value>.self, from: data).value
  }
}

/// What a finger does, as the DevTools protocol names it.
enum Touch: String {
  case start = "Start"
  case move = "Move"
  case end = "End"
}

/// What the driver answers.
private struct Answer<Value: Decodable>: Decodable {
  let value: Value
}
