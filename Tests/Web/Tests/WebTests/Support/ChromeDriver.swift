import Foundation

/// The program that drives browsers.
///
/// It speaks the WebDriver protocol, https://www.w3.org/TR/webdriver2/.
final class ChromeDriver: Sendable {
  /// Whether the machine has it, on Debian from the package `chromium-driver`.
  static let isInstalled = path != nil

  private static let path = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .map { $0 + "/chromedriver" }
    .first(where: FileManager.default.isExecutableFile)

  private let process: Process
  let address: URL

  private init(_ process: Process, _ address: URL) {
    (self.process, self.address) = (process, address)
  }

  /// Runs the program while something is done with a number of browsers.
  static func withBrowsers(
    _ count: Int = 1, _ body: ([Browser]) async throws -> Void
  ) async throws {
    let driver = try await start()
    defer { driver.process.end() }
    var browsers: [Browser] = []
    do {
      for _ in 0..<count { browsers.append(try await Browser.start(driver.address)) }
      try await body(browsers)
    } catch {
      await quit(browsers)
      throw error
    }
    for browser in browsers { try await browser.quit() }
  }

  /// Ends browsers although the test is cancelled: they would go on without the driver.
  private static func quit(_ browsers: [Browser]) async {
    let quitting = Task { for browser in browsers { try? await browser.quit() } }
    let limit = Task {
      try await Task.sleep(for: .seconds(30))
      quitting.cancel()
    }
    await quitting.value
    limit.cancel()
  }

  /// Starts the program on a port that is free.
  ///
  /// It takes a port for one protocol, and ends if the same port is not free for the other one.
  private static func start() async throws -> ChromeDriver {
    for _ in 0..<8 {
      if let driver = try await startOnce() { return driver }
    }
    throw BrowserFault("chromedriver has said no port")
  }

  private static func startOnce() async throws -> ChromeDriver? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = ["--port=0"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let pieces = output.pieces()
    try process.run()
    var text = Data()
    for await data in pieces {
      text += data
      let said = String(decoding: text, as: UTF8.self)
      guard let port = said.firstMatch(of: /successfully on port (\d+)\./)?.1,
        let address = URL(string: "http://127.0.0.1:\(port)")
      else { continue }
      return ChromeDriver(process, address)
    }
    process.end()
    try Task.checkCancellation()
    return nil
  }
}

/// What went wrong in a browser.
struct BrowserFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
