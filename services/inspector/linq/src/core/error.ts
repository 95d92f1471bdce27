/**
 * The one error of the language: what is wrong, at which character, and what to try instead.
 *
 * Texts are written for people, codes for programs. A message may quote the expression (its author sent it) but never a value
 * of the host.
 */

export const errorCodes = [
  // reading the text
  "too_long",
  "too_deep",
  "unexpected_character",
  "unterminated_string",
  "bad_escape",
  "bad_char",
  "bad_number",
  "syntax",
  "expected",
  // checking names and types
  "missing_as",
  "duplicate_name",
  "blocked_name",
  "unknown_name",
  "unknown_member",
  "unknown_method",
  "unknown_type",
  "unknown_value",
  "wrong_arguments",
  "wrong_operands",
  "not_boolean",
  "not_nullable",
  "not_allowed",
  "no_common_type",
  "no_it",
  "no_parent",
  // running
  "null_reference",
  "type_mismatch",
  "divide_by_zero",
  "overflow",
  "bad_format",
  "out_of_range",
  "no_elements",
  "many_elements",
  "key_not_found",
  "not_a_collection",
  "not_readable",
  "redacted",
  "host_failed",
  // limits
  "fuel_exhausted",
  "text_too_long",
  "too_many_items",
  "result_too_large",
  "deadline",
  "pause_needed",
] as const;

/** Why a question cannot be answered. */
export type ErrorCode = (typeof errorCodes)[number];

/** Where an error is in the text; `position` counts UTF-16 units from 0 and is the text's length at its end. */
interface TextPlace {
  readonly position: number;
  readonly length?: number;
}

/** A question that cannot be answered, with its code and place in the text. */
export class LinqError extends Error {
  readonly #linqError = true;
  override readonly name = "LinqError";
  readonly code: ErrorCode;
  /** -1 until it is known. */
  readonly position: number;
  readonly length: number;
  /** What to try next. */
  readonly hint: string | undefined;
  /** The text that the position points into; set where the text is known. */
  readonly text: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: Partial<TextPlace> & { readonly hint?: string | undefined; readonly text?: string } = {},
  ) {
    super(message);
    this.code = code;
    this.position = more.position ?? -1;
    this.length = more.length ?? 1;
    this.hint = more.hint;
    this.text = more.text;
  }

  /** Tests a private field, so that no code of what the host threw runs. */
  static is(value: unknown): value is LinqError {
    return typeof value === "object" && value !== null && #linqError in value;
  }

  /** The same error at a place, unless it has one already. */
  at(place: number, length = 1): LinqError {
    if (this.position >= 0) return this;
    return new LinqError(this.code, this.message, {
      position: place,
      length,
      hint: this.hint,
      ...(this.text === undefined ? {} : { text: this.text }),
    });
  }

  /** The same error with the text it points into. */
  within(text: string): LinqError {
    if (this.text !== undefined) return this;
    return new LinqError(this.code, this.message, {
      position: this.position,
      length: this.length,
      hint: this.hint,
      text,
    });
  }

  /** The line of the text that holds the position, with a caret below; empty when the place is not known. */
  caret(): string {
    if (this.text === undefined || this.position < 0) return "";
    return caretLine(this.text, this.position, this.length);
  }
}

/** At most this much of a long line is shown around the caret. */
const shown = 100;

const caretLine = (text: string, position: number, length: number): string => {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const newline = text.indexOf("\n", position);
  const end = newline < 0 ? text.length : newline;
  const from = Math.max(start, Math.min(position - shown / 2, end - shown));
  const to = Math.min(end, from + shown);
  const line = text.slice(from, to).replaceAll(/\s/g, " ");
  const lead = from > start ? "…" : "";
  const marks = "^".repeat(Math.max(1, Math.min(length, to - position)));
  return `${lead}${line}${to < end ? "…" : ""}\n${" ".repeat(lead.length + position - from)}${marks}`;
};

/** Shorthand for run-time faults, whose place is added by the node that was running. */
export const fault = (code: ErrorCode, message: string, hint?: string): LinqError =>
  new LinqError(code, message, { hint });
