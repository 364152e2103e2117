import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("An explanation as a table and as a picture") struct ExplanationTextTests {
  private typealias Step = QueryExplanation.Step
  private typealias Operation = QueryExplanation.Operation

  private static let base = QueryExplanation(
    source: "ModelSource", element: "Note", revision: Revision(12), rowCount: 1200,
    sectionCount: 1)

  private static func step(
    _ operations: [Operation], bytes: Int, _ times: [Duration], tooLarge: Int = 0
  ) -> Step {
    var work = StepWork()
    for (number, time) in times.enumerated() {
      let isFromScratch = number <= tooLarge
      work.note(isFromScratch: isFromScratch, isTooLarge: isFromScratch && number > 0, time)
    }
    return Step(operations, rowsIn: 1200, rowsOut: 40, sectionsOut: 3, bytes: bytes, work)
  }

  private static let explanation = QueryExplanation(
    source: "DerivedSource", element: "Note", revision: Revision(2), rowCount: 40, sectionCount: 3,
    steps: [
      step(
        [Operation(name: "sorted(by:)", id: "\"title\""), Operation(name: "filter", id: nil)],
        bytes: 123_456, [.microseconds(1234), .nanoseconds(850)]),
      step(
        [Operation(name: "grouped(by:)", id: nil)], bytes: 999,
        [.seconds(2), .milliseconds(99.96)], tooLarge: 1),
    ], followed: [base, base])

  @Test func `The columns of a table are aligned, and followed sources are below it`() {
    #expect(
      Self.explanation.description == """
        DerivedSource of Note, r2: 40 rows in 3 sections
          step                      rows in  rows out  section\
        s  followed  from scratch    last    total  memory
          sorted(by:), id: "title"     1200        40         \
        3         1             1  850 ns  1.23 ms  123 kB
          filter
          grouped(by:)                 1200        40         \
        3         0             2  100 ms    2.1 s   999 B
            ! 1 change was worked out from scratch: more than a sixteenth of the rows.
        ├ ModelSource of Note, r12: 1200 rows in 1 section
        └ ModelSource of Note, r12: 1200 rows in 1 section
        """)
  }

  @Test(
    "Times and sizes have three digits",
    arguments: [
      (Duration.zero, "0 s"), (.nanoseconds(1), "1 ns"), (.nanoseconds(999), "999 ns"),
      (.nanoseconds(1000), "1 µs"), (.nanoseconds(999_960), "1 ms"),
      (.milliseconds(9.994), "9.99 ms"),
      (.milliseconds(9.996), "10 ms"), (.milliseconds(12.34), "12.3 ms"), (.seconds(1), "1 s"),
      (.seconds(12_345), "12345 s"), (.milliseconds(-1.5), "-1.5 ms"),
      (.seconds(Int64.max), "9.223372036854776e+18 s"),
    ])
  func shortTime(time: Duration, text: String) { #expect(time.short == text) }

  @Test func `An operation that is too long for its place is cut`() {
    let operation = Operation(name: "filter", id: String(repeating: "x", count: 60) + "\nsecond")
    let text = operation.shown
    #expect(text.count == 44 && text.last == "…" && text.hasPrefix("filter, id: xxx"))
    #expect(Operation(name: "map", id: "a\nb").shown == "map, id: a b")
    #expect("検索 a".columns == 6)
    #expect("検索検索".cut(toColumns: 6) == "検索…" && "検索検索".cut(toColumns: 8) == "検索検索")
  }

  @Test func `A clock that goes back draws no bar that is longer than its place`() {
    let operation = [Operation(name: "filter", id: nil)]
    let picture = QueryExplanation(
      source: "DerivedSource", element: "Note", revision: .empty, rowCount: 0, sectionCount: 0,
      steps: [
        Self.step(operation, bytes: 0, [.seconds(Int64.max / 2)]),
        Self.step(operation, bytes: 0, [.seconds(-(Int64.max / 2)), .nanoseconds(1)]),
      ]
    ).svg
    let bars = picture.split(separator: "\n").filter { $0.contains("class=\"bar\"") }
    // The last step is drawn first.
    #expect(bars.map { $0.contains("width=\"0\"") } == [true, false])
    #expect(bars.map { $0.contains("width=\"272\"") } == [false, true])
  }

  /// The picture of a source with an operation.
  private static func picture(_ operation: Operation) -> String {
    QueryExplanation(
      source: "DerivedSource", element: "Note", revision: .empty, rowCount: 0, sectionCount: 0,
      steps: [step([operation], bytes: 0, [])], followed: [base, explanation]
    ).svg
  }

  @Test func `A picture is valid XML, whatever is in an identifier`() {
    let picture = Self.picture(Operation(name: "map", id: "<&\u{1}\u{fffe}\" \u{7}>"))
    #expect(picture.contains(">map, id: &lt;&amp;&quot; &gt;</text>"))
    let scalars = picture.unicodeScalars
    #expect(scalars.allSatisfy { $0 == "\n" || $0 >= " " && $0.value < 0xfffe })
  }

  @Test func `A text that is too long is cut, and stands whole in its title`() {
    let name = String(repeating: "long ", count: 20)
    let picture = Self.picture(Operation(name: "filter", id: name))
    #expect(picture.contains("<title>filter, id: \(name)</title>"))
    #expect(picture.contains("…<title>"))
    let short = Self.picture(Operation(name: "filter", id: nil))
    #expect(!short.contains("<title>"), "\(short)")
  }

  @Test func `Boxes are inside the picture and do not overlap`() throws {
    let picture = Self.picture(Operation(name: "merged(with:)", id: nil))
    let boxes = picture.split(separator: "\n").filter {
      $0.contains("class=\"box\"") || $0.contains("class=\"source\"")
    }.map { line in ["x", "y", "width", "height"].map { Self.number($0, in: line) } }
    // Two sources that show lists of others, three that do not, and three steps.
    #expect(boxes.count == 8)
    let page = picture.split(separator: "\n")[0]
    let size = [Self.number("width", in: page), Self.number("height", in: page)]
    for (index, box) in boxes.enumerated() {
      #expect(box[0] >= 16 && box[1] >= 16)
      #expect(box[0] + box[2] <= size[0] - 16 && box[1] + box[3] <= size[1] - 16)
      for other in boxes[..<index] {
        let isApart =
          box[0] + box[2] < other[0] || other[0] + other[2] < box[0]
          || box[1] + box[3] < other[1] || other[1] + other[3] < box[1]
        #expect(isApart, "\(box) and \(other)")
      }
    }
  }

  private static func number(_ name: String, in line: Substring) -> Int {
    let start = line.firstRange(of: " \(name)=\"")?.upperBound ?? line.endIndex
    return Int(line[start...].prefix { $0 != "\"" }) ?? -1
  }
}
