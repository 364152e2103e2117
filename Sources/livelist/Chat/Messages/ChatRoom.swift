import Diffable

/// Everybody who writes in the chat: people ask questions, and answers come word by word.
actor ChatRoom {
  let source: ChatSource
  private var lastMessage = ChatArchive.count
  private var conversations = 0
  private var questions = 0
  /// The answers that were not begun.
  private var answers: [String] = []
  /// The message that is being written, and the words that are missing.
  private var answer: (message: Int, words: ArraySlice<Substring>)?

  init(_ source: ChatSource) { self.source = source }

  /// Writes the next word of an answer; without an answer, asks the next question.
  ///
  /// - Returns: Whether more of an answer is to come.
  func write() async throws -> Bool {
    if answer == nil, !answers.isEmpty {
      let words = answers.removeFirst().split(separator: " ")
      answer = (try await post(ChatScript.assistant, "", isUnderWay: true), words[...])
    }
    if let (message, words) = answer {
      let word = words.first.map(String.init) ?? ""
      let isLast = words.count <= 1
      answer = isLast ? nil : (message, words.dropFirst())
      try await source.update { draft in
        try draft.update(message) { message in
          message.text += message.text.isEmpty ? word : " " + word
          message.isUnderWay = !isLast
        }
      }
    } else {
      let next = ChatScript.conversations[conversations % ChatScript.conversations.count]
      conversations += 1
      answers.append(next.answer)
      _ = try await post(next.author, next.question)
    }
    return answer != nil || !answers.isEmpty
  }

  /// Asks a question for the reader.
  func ask() async throws {
    let next = ChatScript.questions[questions % ChatScript.questions.count]
    questions += 1
    answers.append(next.answer)
    _ = try await post(ChatScript.reader, next.question)
  }

  private func post(
    _ author: String, _ text: String, isUnderWay: Bool = false
  ) async throws -> Int {
    lastMessage += 1
    let message = Message(id: lastMessage, author: author, text: text, isUnderWay: isUnderWay)
    try await source.update { draft in try draft.appendItems([message], toSection: .messages) }
    return message.id
  }

  /// Writes until the task is cancelled; a word takes a twelfth of the time of a message.
  func run(every interval: Duration) async throws -> Never {
    var isAnswering = false
    while true {
      try await Task.sleep(for: isAnswering ? interval / 12 : interval)
      isAnswering = try await write()
    }
  }
}
