/**
 * What goes wrong with an input before it is decoded, as wire errors. One wording for text and for values that arrive parsed, so
 * that every transport refuses the same input with the same words.
 *
 * Values are never echoed; a key is, clipped, where it is part of the path.
 */
import type { Limits, WireError } from "@fairlead/contracts";

/** A limit that an input passed, or why it is no JSON. `path` is where, as `pathText` writes it. */
export type Breach =
  | { readonly kind: "bytes" | "string" | "depth" | "keys" | "items" | "duplicate"; readonly path: string }
  | { readonly kind: "syntax"; readonly path: string; readonly expected: string; readonly place: string };

/** The refusal of a breach. */
export const refusal = (breach: Breach, limits: Limits): WireError => {
  const where = breach.path === "" ? "the input" : `\`${breach.path}\``;
  switch (breach.kind) {
    case "bytes":
      return {
        code: "resource_exhausted",
        message: `the input is larger than ${limits.bytes} bytes`,
        hint: "send less at once; the procedure's policy sets this limit",
        issues: [
          {
            path: breach.path,
            expected: `at most ${limits.bytes} bytes of JSON`,
            fix: "shorten the input, or split it over several calls",
          },
        ],
        retryable: false,
      };
    case "string":
      return {
        code: "resource_exhausted",
        message: "a text in the input is too long",
        hint: "send less at once; the procedure's policy sets this limit",
        issues: [{ path: breach.path, expected: `at most ${limits.string} bytes of UTF-8`, fix: `shorten ${where}` }],
        retryable: false,
      };
    case "depth":
      return invalid("the input is nested too deeply", {
        path: breach.path,
        expected: `at most ${limits.depth} levels of arrays and objects`,
        fix: "flatten the input",
      });
    case "keys":
      return invalid("an object in the input has too many members", {
        path: breach.path,
        expected: `at most ${limits.keys} members`,
        fix: `give ${where} fewer members, or split it over several calls`,
      });
    case "items":
      return invalid("an array in the input has too many items", {
        path: breach.path,
        expected: `at most ${limits.items} items`,
        fix: `give ${where} fewer items, or split it over several calls`,
      });
    case "duplicate":
      return invalid("an object in the input names a member twice", {
        path: breach.path,
        expected: "each member once",
        fix: `remove one of the two ${where}`,
      });
    case "syntax":
      return invalid("the input is no valid JSON", {
        path: breach.path,
        expected: breach.expected,
        fix: `correct the JSON at ${breach.place}`,
      });
  }
};

const invalid = (message: string, issue: { path: string; expected: string; fix: string }): WireError => ({
  code: "invalid_argument",
  message,
  issues: [issue],
  retryable: false,
});
