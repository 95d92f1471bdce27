/**
 * Prompts of a contract: what a person may ask a model to do with its tools, as a text with arguments. MCP clients offer them, often as commands with a slash.
 *
 * Not here: what a tool is called (a procedure in backticks is written as its tool), and whether a prompt fits its contract (`fairlead gen`).
 */

/** Values that complete an argument: written out, or members of what a query of the contract answers. */
export type Choices =
  | readonly string[]
  | {
      /** A query of the contract. */
      readonly call: string;
      /** Its input, in which a text like `"{name}"` stands for the value of another argument, and `"{}"` for what is typed so far. None when left out. */
      readonly input?: Readonly<Record<string, unknown>>;
      /** Where the values are in its answer: names with dots between them, through lists. */
      readonly path: string;
    };

export interface PromptArgument {
  /** One line. */
  readonly about: string;
  /** What it is when it is left out; an argument without must be given. */
  readonly default?: string;
  readonly choices?: Choices;
}

export interface Prompt {
  /** For people, as clients show it. */
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** By name. */
  readonly arguments?: Readonly<Record<string, PromptArgument>>;
  /** What is asked; `{name}` is an argument, and a procedure's name in backticks becomes its tool's. */
  readonly text: string;
}
