import Diffable
import DiffablePages
import DiffableTerminal
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@testable import livelist

@Suite("Chat", .deadline)
@MainActor
struct ChatTests {
  /// A chat on a screen, and everybody who writes in it.
  @MainActor
  private final class Chat {
    let source = ChatSource()
    let room: ChatRoom
    let loader: ChatLoader
    let view: ChatView
    var size: TerminalSize

    init(columns: Int = 40, rows: Int = 14) async throws {
      size = TerminalSize(columns: columns, rows: rows)
      room = ChatRoom(source)
      loader = ChatArchive(latency: .zero).loader(into: source)
      view = ChatView(source, loader, room)
      _ = screen
      await loader.refresh()
      try await settle()
    }

    var screen: [String] { view.screen(size).lines.map(\.text) }
    /// The lines of the list.
    var lines: [String] { Array(screen.dropFirst().dropLast()) }
    var messages: [Int] { Array(view.controller.snapshot.items(inSection: .messages)) }

    /// Waits until everything that was written or asked for is on the screen.
    func settle() async throws {
      var calm = 0
      try await wait {
        await self.view.showNewest()
        let isLoading = self.loader.states.isLoading
        let isShown = await self.source.revision == self.view.controller.revision
        calm = isLoading || !isShown ? 0 : calm + 1
        return calm > 20
      }
      // The program draws after every change.
      _ = screen
    }

    /// The lines of all messages, one below the other.
    func allLines() async -> [String] {
      var lines: [String] = []
      for message in messages {
        guard let model = await source.model(for: message) else { continue }
        lines += MessageDrawing.lines(model, columns: size.columns).map(\.text)
      }
      return lines
    }

    func press(_ keys: Key...) async throws {
      for key in keys {
        #expect(view.press(key) == .handled(true))
        try await settle()
      }
    }

    /// Waits until the reader's question is there.
    func ask() async throws {
      let last = messages.last
      try await press(.enter)
      try await wait {
        await self.view.showNewest()
        return self.messages.last != last
      }
    }
  }

  @Test("Whatever is written, and however wide the window is, the end of the chat is on the screen")
  func end() async throws {
    let chat = try await Chat()
    for step in 0..<rounds(160) {
      _ = try await chat.room.write()
      if step % 9 == 4 { try await chat.ask() }
      try await chat.settle()
      if step % 5 == 0 { chat.size = TerminalSize(columns: 12 + step % 50, rows: 4 + step % 13) }
      let all = await chat.allLines()
      #expect(chat.lines == Array(all.suffix(chat.lines.count)), "step \(step), \(chat.size)")
      #expect(!(chat.screen.last ?? "").contains("new message"))
    }
  }

  @Test("Who reads further up is left alone, and told how many messages came below")
  func reading() async throws {
    let chat = try await Chat()
    try await chat.press(.pageUp, .up, .up)
    let (screen, last) = (chat.lines, chat.messages.last ?? 0)
    for _ in 0..<rounds(120, least: 24) {
      _ = try await chat.room.write()
      try await chat.settle()
      #expect(chat.lines == screen)
      let count = (chat.messages.last ?? 0) - last
      let words = " ↓ \(Figure.count(count, "new message", "new messages")) "
      #expect((chat.screen.last ?? "").hasSuffix(count == 0 ? " " : words))
    }
    // What has come into view is not new any more, also if it is left again.
    try await chat.press(.end)
    #expect(!(chat.screen.last ?? "").contains("new message"))
    try await chat.press(.pageUp)
    #expect(!(chat.screen.last ?? "").contains("new message"))
    try await chat.ask()
    #expect(chat.lines.contains { $0.contains(ChatScript.questions[0].question) })
  }

  @Test("Up to the beginning, every line passes once, while pages come in above")
  func older() async throws {
    let chat = try await Chat(columns: 120, rows: 9)
    #expect(chat.messages.count < 100, "an untouched chat loads little")
    var seen = chat.lines
    var presses = 0
    while chat.messages.first != 1 || !chat.view.list.viewport.isAtStart, presses < 5_000 {
      let before = chat.lines
      #expect(chat.view.press(.up) == .handled(true))
      #expect(Array(chat.lines.dropFirst()) == Array(before.dropLast()))
      seen.insert(chat.lines[0], at: 0)
      presses += 1
      if chat.view.list.viewport.offset < 20 {
        let lines = chat.lines
        try await chat.settle()
        #expect(chat.lines == lines, "a page does not move what is read")
      }
    }
    let notice = MessageDrawing.lines(
      Message(id: 0, text: "The chat begins here."), columns: 120
    ).map(\.text)
    let all = await chat.allLines()
    #expect(seen == notice + all)
    #expect(chat.messages == Array(1...ChatArchive.count))
  }

  @Test("What is drawn fits, however small the terminal is")
  func sizes() async throws {
    let chat = try await Chat()
    try await chat.press(.pageUp, .up, .up)
    for _ in 0..<8 {
      _ = try await chat.room.write()
      try await chat.settle()
    }
    #expect(chat.screen.last?.hasPrefix(" q quit") == true)
    #expect(chat.screen.last?.contains("new message") == true)
    chat.view.expectFits()
  }

  @Test("An answer comes word by word, and each is asked for once")
  func answers() async throws {
    let chat = try await Chat()
    try await chat.ask()
    try await chat.ask()
    var isAnswering = true
    while isAnswering { isAnswering = try await chat.room.write() }
    var texts: [String] = []
    for message in chat.messages.suffix(4) {
      let model = try #require(await chat.source.model(for: message))
      #expect(!model.isUnderWay)
      texts.append(model.text)
    }
    let questions = ChatScript.questions.prefix(2)
    #expect(texts == questions.map(\.question) + questions.map(\.answer))
  }
}
