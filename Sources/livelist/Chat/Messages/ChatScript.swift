/// What is said in the chat.
enum ChatScript {
  /// The one who answers.
  static let assistant = "Swift"
  /// The one at the keyboard.
  static let reader = "You"

  static let lines: [(author: String, text: String)] = [
    ("Ada", "Good morning! Is the list still in one piece?"),
    ("준호", "네, 어제 밤에도 잘 돌아갔어요. 한글도 줄이 맞습니다."),
    ("Ada", "👍"),
    (
      "Grace",
      "I scrolled up to read what you wrote yesterday, and nothing moved while the pages came in "
        + "above. That alone is worth the upgrade."
    ),
    ("美咲", "今日は長い行も試しました。画面の幅で折り返されて、文字が切れません。"),
    (
      "Grace",
      "Try it with a narrow window. Every message is measured again, and the line that you read stays "
        + "where it is. 🎉"
    ),
    ("Ada", "Does it keep its place if I hide the window and come back?"),
    ("Grace", "Yes."),
    ("Łukasz", "A tab\tis as wide\tas it should be."),
    ("준호", "좋아요 🚀 그럼 배포할까요?"),
    (
      "Ada",
      "One more thing: https://example.com/a/very/long/address/that/has/no/space/anywhere/and/does/not/"
        + "fit is cut, since there is no better place."
    ),
    ("Łukasz", "Ship it 🚢"),
  ]

  static let conversations: [(author: String, question: String, answer: String)] = [
    (
      "Ada", "What stays in place when a message above grows?",
      "The rows that you see. The list remembers one of them, measures what is new, and scrolls by as "
        + "much as the rows above have grown. You see no difference, and that is the point."
    ),
    (
      "美咲", "一番下にいるときは？",
      "その場合は一番下のままです。新しいメッセージが届いても、返事が少しずつ伸びても、最後の行が見え続けます。"
        + "上にスクロールすると、そこで止まります。"
    ),
    (
      "준호", "스크롤을 올리면 새 메시지는 어떻게 알 수 있어요?",
      "The last line of the screen says how many came below. End 키를 누르면 다시 맨 아래로 갑니다 👇"
    ),
    (
      "Grace", "And how many lines of code is that?",
      "Two. sticksToEnd keeps the list at its end, and the cell provider tells the loader which "
        + "messages are shown. The rest is text that is cut into lines."
    ),
  ]

  static let questions: [(question: String, answer: String)] = [
    (
      "Are you awake?",
      "I am a table of strings, so yes. Scroll up while I type: your place is kept, and the last line "
        + "counts what you have not read."
    ),
    (
      "Say something long.",
      "A list of messages is a list of rows of different heights, most of which were never on the "
        + "screen. Their heights are estimated until they come into view. An estimate is always wrong, "
        + "so something has to give: either the rows that you read jump, or the scroll position is "
        + "corrected by the same distance. 정답은 두 번째입니다. 答えは二番目です。 🧭"
    ),
    ("Thanks!", "You are welcome. 🙂"),
  ]
}
