/** Sizes a session accepts. Bytes are UTF-8 bytes, texts are characters; all data, nothing here runs. */
export const limits = {
  /** Bytes of one event's payload. */
  payload: 524_288,
  /** Bytes of one path. */
  path: 2_048,
  /** Characters of one command. */
  command: 4_096,
  /** Characters of a title, a reason, a rationale. Longer ones are cut. */
  smallText: 8_192,
  /** Characters of a description or a hint. Longer ones are cut. */
  mediumText: 32_768,
  /** Characters of a command's output. Longer ones lose their beginning. */
  largeText: 131_072,
  /** Items of a list of objects; more are refused. */
  objects: 200,
  /** Items of a list of strings; the rest is cut. */
  strings: 400,
  /** Files of one plan; more are refused. */
  planFiles: 400,
  /** Results of commands that a ticket keeps: more than it can have commands of its own. */
  qaResults: 500,
  /** Bytes of a payload that is logged whole; a larger one becomes a preview. */
  loggedPayload: 131_072,
  /** Bytes of such a preview. */
  preview: 8_192,
  /** Bytes of one artifact. */
  artifact: 131_072,
  /** Bytes of one patch under diffs/. */
  patch: 524_288,
  /** Hints that wait for the next scout prompt; the oldest makes room. */
  hints: 20,
  /** Answers of a person's that prompts show; the oldest makes room. */
  answers: 5,
  /** Proposals kept for later because they are outside the scope. */
  deferred: 20,
  /** Closed tickets that the state keeps for finding duplicates. */
  recent: 200,
  /** Tickets that may be open at once. */
  openTickets: 200,
  /** Folders that the coverage counts. */
  sectors: 200,
  /** Characters of a command's output that prompts and results show. */
  outputTail: 2_000,
} as const;
