/** How a procedure is asked of an HTTP API: data that an import writes. Not here: doing it (`request`, `response`). */

/** A field of the input that goes beside the body. */
export interface ForwardedField {
  /** What the API calls it. */
  readonly name: string;
  readonly in: "path" | "query" | "header";
  /**
   * How a query has a list or an object. `form` is the default: `a=1&a=2`. `list`: `a=1,2`; `spaces` and `pipes` alike; `deep`: `a[key]=1`.
   */
  readonly style?: "form" | "list" | "spaces" | "pipes" | "deep";
}

/** An operation of an HTTP API. */
export interface ForwardedOperation {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** From the API's address, with fields of the path in braces, by the API's names: `/pets/{petId}`. */
  readonly path: string;
  /** By the name in the input. */
  readonly fields: Readonly<Record<string, ForwardedField>>;
  /** The field `body` of the input: as JSON, as a form (`a[b]=c`), or as it is. */
  readonly body?: "json" | "form" | "text";
  /** What a good answer is. */
  readonly answer: "json" | "text" | "nothing";
  /** Reasons of declared errors by status, by hundred (`4XX`), or for every other that is 400 or more (`default`). */
  readonly errors: Readonly<Record<string, string>>;
}
