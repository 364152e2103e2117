import DiffableTerminal
import DiffableTesting
import Testing
import TestScope

@Suite("Search field") struct SearchFieldTests {
  private func field(_ keys: [Key]) -> SearchField {
    var field = SearchField()
    for key in keys { _ = field.press(key) }
    return field
  }

  private func typed(_ text: String) -> [Key] {
    text.unicodeScalars.map { .character($0) }
  }

  @Test("takes a line of text, of any characters, and nothing while it is not being edited")
  func typing() {
    var field = SearchField()
    for key in typed("abc") + [.enter, .backspace, .left, .up, .escape] {
      #expect(field.press(key) == .ignored)
    }
    #expect(field.press(.character("/")) == .handled)
    for key in typed("a/日e\u{301}") { #expect(field.press(key) == .edited) }
    #expect(field.text == "a/日é")
    for key in [Key.up, .down, .pageUp, .pageDown, .tab] { #expect(field.press(key) == .ignored) }
    #expect(field.press(.backspace) == .edited)
    #expect(field.text == "a/日")
    #expect(field.press(.enter) == .handled)
    #expect(!field.isEditing)
    #expect(field.text == "a/日")
    #expect(field.press(.character("x")) == .ignored)
    #expect(field.press(.escape) == .edited)
    #expect(field == SearchField())
  }

  @Test("ends without a text on Escape, and on Backspace where there is nothing to delete")
  func ending() {
    #expect(field([.character("/")] + typed("ab") + [.escape]) == SearchField())
    #expect(field([.character("/"), .backspace]) == SearchField())
    #expect(field([.character("/"), .character("a"), .backspace]).isEditing)
  }

  @Test("edits like an array with a cursor, whatever the keys")
  func editing() {
    for seed in 0..<rounds(200 as UInt64) {
      var random = SplitMix64(seed: seed)
      var field = field([.character("/")])
      var model: [Character] = []
      var cursor = 0
      let keys: [Key] = [
        .character("a"), .character("日"), .character("👍"), .left, .right, .home, .end, .backspace,
        .delete, .shift(.left), .shift(.end), .enter,
      ]
      for _ in 0..<40 {
        let key = random.element(of: keys) ?? .left
        // That would end it.
        if key == .backspace, model.isEmpty { continue }
        if key == .enter {
          // The text is kept, and goes on at its end.
          #expect(field.press(key) == .handled && !field.isEditing && field.text == String(model))
          #expect(field.press(.backspace) == .ignored && field.press(.character("/")) == .handled)
          cursor = model.count
          continue
        }
        let old = model
        switch key {
        case .character(let scalar):
          model.insert(Character(scalar), at: cursor)
          cursor += 1
        case .left, .shift(.left): cursor = max(0, cursor - 1)
        case .right: cursor = min(model.count, cursor + 1)
        case .home: cursor = 0
        case .end, .shift(.end): cursor = model.count
        case .backspace where cursor > 0:
          cursor -= 1
          model.remove(at: cursor)
        case .delete where cursor < model.count: model.remove(at: cursor)
        default: break
        }
        let outcome = field.press(key)
        #expect(field.isEditing && outcome == (model == old ? .handled : .edited), "seed \(seed)")
        #expect(field.text == String(model), "seed \(seed)")
        // The cursor is in sight, however little room there is.
        for columns in [6, 9, 80] {
          let line = field.line(columns: columns)
          #expect(line.columnCount == columns)
          let marked = line.spans.filter(\.style.isReversed).map(\.text).joined()
          let expected = cursor < model.count ? String(model[cursor]) : " "
          #expect(marked == expected, "seed \(seed), \(columns) columns")
        }
      }
    }
  }

  @Test("looks different while it is empty, edited and kept")
  func looks() {
    #expect(SearchField().line(columns: 16).text == " / to search    ")
    #expect(field([.character("/")] + typed("ab")).line(columns: 8).text == " / ab   ")
    #expect(field([.character("/")] + typed("abcdef")).line(columns: 8).text == " / cdef ")
    #expect(
      field([.character("/")] + typed("abcdef") + [.enter]).line(columns: 8).text == " / abcde")
    #expect(SearchField().line(columns: 0).text == "")
  }
}

@Suite("Search query") struct SearchQueryTests {
  @Test(
    "finds all words in any order, whatever their case and accents",
    arguments: [
      ("", "anything", true), ("  ", "", true), ("cafe", "Un CAFÉ noir", true),
      ("noir caf", "Un Café noir", true), ("noir the", "Un Café noir", false), ("É", "e", true),
      ("日", "日本", true), ("x", "", false),
    ])
  func matching(_ query: String, _ text: String, _ expected: Bool) {
    #expect(SearchQuery(query).matches(text) == expected)
    #expect(SearchQuery(query).isEmpty == (query.allSatisfy { $0 == " " }))
  }
}
