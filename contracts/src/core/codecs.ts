/**
 * The codecs that ship: values that JSON has no form for, each with the form that it takes on the wire. Usable in inputs, outputs
 * and the data of errors; the service sees the value, every client and every published schema the wire form.
 *
 * And cursors of lists in pages, which are a place as text. An author's own codec is `z.codec(wire, value, { decode, encode })`. Not here: applying them (`decoder`, `encoder`).
 */
import * as z from "zod";
import type { $ZodType, output } from "zod/v4/core";
import { decoder } from "./decoder.ts";
import { FairleadError } from "./error.ts";
import type { Schema, SchemaOutput } from "./schema/schema.ts";

/** Digits that are parsed: the time that a number takes grows with the square of them. */
const mostDigits = 1_000;

const integerText = /^(?:0|-?[1-9][0-9]{0,999})$/;
const decimalText = /^(?:0|-?[1-9][0-9]{0,99}|-?(?:0|[1-9][0-9]{0,99})\.[0-9]{1,100})$/;

/** Wire: ISO 8601 text with a time zone, like `2026-01-31T12:00:00Z`. Value: a `Date`. Encoded in UTC with milliseconds. */
const date = () =>
  z.codec(z.iso.datetime({ offset: true }), z.date(), {
    decode: (text) => new Date(text),
    encode: (value) => value.toISOString(),
  });

/** Wire: a whole number in decimal digits, like `"9007199254740993"`, at most 1,000 of them. Value: a `bigint`. */
const bigint = () =>
  z.codec(
    z
      .string()
      .max(mostDigits + 1)
      .regex(integerText),
    z.bigint(),
    { decode: BigInt, encode: String },
  );

/** Wire and value: a decimal number as text, like `"19.90"`, exact to the last digit; at most 100 digits on each side of the point. */
const decimal = () => z.string().regex(decimalText);

/** Wire: a list of `{ key, value }`; for keys that are texts, `z.record()` is shorter. Value: a `Map`. The last of equal keys stays. */
const map = <K extends $ZodType, V extends $ZodType>(key: K, value: V) =>
  z.codec(
    z.array(z.strictObject({ key, value })),
    z.custom<Map<output<K>, output<V>>>((given) => given instanceof Map, "expected a Map"),
    {
      // The border to Zod's types: an object's fields are those of its shape, but not for a type parameter.
      decode: (entries) =>
        new Map(
          (entries as unknown as readonly Entry<output<K>, output<V>>[]).map((entry) => [entry.key, entry.value]),
        ),
      encode: (values) => [...values].map(([k, v]) => ({ key: k, value: v })) as never,
    },
  );

interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
}

/** Wire: a list. Value: a `Set`; what is on the wire twice is in it once. */
const set = <V extends $ZodType>(value: V) =>
  z.codec(
    z.array(value),
    z.custom<Set<output<V>>>((given) => given instanceof Set, "expected a Set"),
    { decode: (values) => new Set(values), encode: (values) => [...values] },
  );

/** Wire: an absolute URL as text. Value: a `URL`. */
const url = () => z.codec(z.url(), z.instanceof(URL), { decode: (text) => new URL(text), encode: ({ href }) => href });

/** Wire: base64url without padding. Value: a `Uint8Array`. */
const bytes = () =>
  z.codec(z.base64url(), z.instanceof(Uint8Array<ArrayBufferLike>), {
    decode: (text): Uint8Array<ArrayBufferLike> => Uint8Array.from(Buffer.from(text, "base64url")),
    encode: (value) => Buffer.from(value).toString("base64url"),
  });

/** Wire: ISO 8601 text with a time zone. Value: a `Temporal.Instant`, to the nanosecond. Throws where the runtime has no Temporal. */
const instant = () => {
  const { Instant } = temporal("instant");
  return z.codec(z.iso.datetime({ offset: true }), z.instanceof(Instant), {
    decode: orIssue("datetime", (text) => Instant.from(text)),
    encode: String,
  });
};

/** Wire: a date like `2026-01-31`. Value: a `Temporal.PlainDate`. Throws where the runtime has no Temporal. */
const plainDate = () => {
  const { PlainDate } = temporal("plainDate");
  return z.codec(z.iso.date(), z.instanceof(PlainDate), {
    decode: orIssue("date", (text) => PlainDate.from(text)),
    encode: String,
  });
};

/** Wire: an ISO 8601 duration like `PT1H30M`. Value: a `Temporal.Duration`. Throws where the runtime has no Temporal. */
const duration = () => {
  const { Duration } = temporal("duration");
  return z.codec(z.iso.duration(), z.instanceof(Duration), {
    decode: orIssue("duration", (text) => Duration.from(text)),
    encode: String,
  });
};

const temporal = (codec: string): typeof Temporal => {
  if (typeof Temporal !== "undefined") return Temporal;
  throw new TypeError(
    `codecs.${codec}() needs Temporal, which this runtime does not have: start Node with --harmony-temporal, or use codecs.date()`,
  );
};

/** What a class refuses, like a tenth digit of a second, is an issue as any other. */
const orIssue =
  <T>(format: string, parse: (text: string) => T) =>
  (text: string, context: z.core.ParsePayload): T => {
    try {
      return parse(text);
    } catch {
      context.issues.push({ code: "invalid_format", format, input: text });
      return z.NEVER;
    }
  };

/** The codecs that ship: values that JSON has no words for, each with its wire side. */
export const codecs = { date, bigint, decimal, map, set, url, bytes, instant, plainDate, duration } as const;

/** Where a page begins, like the key of the last item before it, as a cursor. */
export const encodeCursor = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString("base64url");

/** The place that a cursor says. Throws a `FairleadError` (`invalid_argument`) for a text that is not a cursor of this list. */
export const decodeCursor = <S extends Schema>(schema: S, cursor: string): SchemaOutput<S> => {
  const decoded = decoder<SchemaOutput<S>>(schema)(parseCursor(cursor));
  if (decoded.ok) return decoded.value;
  throw wrongCursor();
};

const parseCursor = (cursor: string): unknown => {
  const bytes = Buffer.from(cursor, "base64url");
  // What is not base64url is passed over by the reader, and is missing when it is written again.
  if (bytes.toString("base64url") !== cursor) throw wrongCursor();
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw wrongCursor();
  }
};

const wrongCursor = (): FairleadError =>
  new FairleadError({
    code: "invalid_argument",
    message: "the cursor is none of this list",
    issues: [
      { path: "cursor", expected: "`next` of an earlier page", fix: "leave it out to begin with the first page" },
    ],
  });
