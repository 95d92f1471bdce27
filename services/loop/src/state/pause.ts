/** A session that waits: a person has paused it, or an agent has a question that only a person can answer. */

export interface SessionPause {
  readonly by: "person" | "agent";
  /** Why, or the question. */
  readonly text: string;
}

/** What a person has answered; prompts show the last ones. */
export interface PersonAnswer {
  readonly question: string;
  readonly answer: string;
}

export const describePause = ({ by, text }: SessionPause): string =>
  by === "agent"
    ? `the agent asks: ${text} (fairlead session answer '...')`
    : `the session is paused${text === "" ? "" : `: ${text}`}; fairlead session resume goes on`;
