/** What a call in another form is printed from. */

/** In the order that `describe` shows them in. */
export const snippetForms = ["curl", "typescript", "python", "mcp"] as const;

export type SnippetForm = (typeof snippetForms)[number];

/** Everything that a form needs. No token: a snippet reads it from `FAIRLEAD_TOKEN`. */
export interface SnippetCall {
  /** Of the kernel. */
  readonly url: string;
  readonly needsToken: boolean;
  readonly service: string;
  /** The procedure's own name. */
  readonly procedure: string;
  readonly kind: "query" | "mutation" | "subscription";
  readonly retry: "safe" | "idempotent" | "keyed" | "unsafe";
  /** Path below the address. */
  readonly path: string;
  readonly input: unknown;
  readonly idempotencyKey?: string;
  /** Its MCP tool; none for a stream, and where the contract keeps it off MCP. */
  readonly tool?: string;
  /** Module of the generated client, where there is one. */
  readonly typescriptModule?: string;
  /** What the generated Python client calls it, where there is one. */
  readonly python?: PythonNames;
  /** The file that it takes or gives. */
  readonly file?: SnippetFile;
}

/** A file of a call, by its path on the caller's disk. */
export interface SnippetFile {
  /** `sent` to the procedure, or `got` from it and written. */
  readonly way: "sent" | "got";
  readonly path: string;
  /** The same from the root, as servers of MCP need it. */
  readonly absolutePath: string;
  /** Media type of one that is sent. */
  readonly type?: string;
}

/** Names in a generated Python package. */
export interface PythonNames {
  readonly package: string;
  readonly class: string;
  readonly method: string;
  /** Keyword arguments by field; left out where the whole input is one argument. */
  readonly arguments?: ReadonlyMap<string, string>;
}
