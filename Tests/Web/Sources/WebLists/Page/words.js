// What the page says of a list in words: while it comes, where there is nothing, and when it is cut off.

/** In the footer, by the state of a `Follower`. */
export const states = {
  connecting: "Connecting",
  live: "Live",
  waiting: "Connection lost, trying again",
  full: "The server is full, trying again",
  refused: "Not allowed: open the address that the server has printed",
  ended: "The list has ended",
}

const causes = {
  waiting: "Offline.",
  full: "The server is full.",
  refused: "Not allowed: open the address that the server has printed.",
  ended: "The list has ended.",
}

/** Why nothing new comes; empty while there is no reason to say so. */
export const cause = (state) => causes[state] ?? ""

/** Whether there is a list to show, empty or not. */
export const hasCome = ({ list, resets }) => list.token !== null || resets > 0

/** In place of a list that is not there or shows nothing; empty if it shows something. */
export function instead(follower, count) {
  if (hasCome(follower)) {
    if (count) return ""
    return follower.asked ? "Nothing found" : "The list is empty"
  }
  const reason = cause(follower.state)
  if (!reason) return "Loading the list"
  return ["waiting", "full"].includes(follower.state) ? `${reason} The page tries again.` : reason
}

/** Above a list that may be older than that of the server. */
export function above(follower) {
  const reason = hasCome(follower) && cause(follower.state)
  return reason ? `${reason} This is the list as it was.` : ""
}
