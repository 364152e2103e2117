/// Numbers in the text format of Prometheus, which most monitoring systems read.
///
/// See https://prometheus.io/docs/instrumenting/exposition_formats/.
struct Exposition {
  enum Kind: String {
    /// Goes up and down.
    case gauge
    /// Only goes up, from 0 when the program starts.
    case counter
  }

  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Adds one number.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some Numeric) {
    begin(name, kind, help)
    text += "\(name) \(value)\n"
  }

  /// Adds numbers of one name that differ in a label.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, by label: String,
    _ values: some Sequence<(String, some Numeric)>
  ) {
    add(name, kind, help, by: [label], values.map { ([$0], $1) })
  }

  /// Adds numbers of one name that differ in labels.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, by labels: [String],
    _ values: some Sequence<([String], some Numeric)>
  ) {
    begin(name, kind, help)
    for (texts, value) in values {
      let pairs = zip(labels, texts).map { "\($0)=\"\(Self.escaped($1))\"" }
      text += "\(name){\(pairs.joined(separator: ","))} \(value)\n"
    }
  }

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
