/**
 * What sheets and models write otherwise than the schemas have it: letters of another case, `null` for what is left out, fields that no
 * rule reads. Each is put right before the schema decodes it, and the published schema is the schema's own.
 *
 * Not for outputs: what the service answers is exact.
 */
import * as z from "zod";

/** A schema that decodes what `read` makes of the input. A named boundary: Zod types such an input as unknown, and callers send the schema's own. */
const reading = <S extends z.ZodType, I = z.input<S>>(
  read: (sent: unknown) => unknown,
  schema: S,
): z.ZodType<z.output<S>, I> => z.preprocess(read, schema) as unknown as z.ZodType<z.output<S>, I>;

const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ");

/** One of the names, in letters of any case; `short` has other spellings of them, in lower case. */
export const anyCase = <S extends z.ZodEnum>(names: S, short: Readonly<Record<string, string>> = {}) => {
  const written = new Map<string, string>(names.options.map((name) => [plain(String(name)), String(name)]));
  for (const [spelling, name] of Object.entries(short)) written.set(spelling, name);
  return reading((sent) => (typeof sent === "string" ? (written.get(plain(sent)) ?? sent) : sent), names);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const withoutNulls = (sent: unknown): unknown =>
  isRecord(sent) ? Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) : sent;

/** An object whose fields may be `null`, which is the same as leaving them out. */
export const nullsLeftOut = <S extends z.ZodObject>(schema: S) => reading(withoutNulls, schema);

/** A part of a sheet: `null` is left out, and fields that the rules do not know are accepted, kept and never read by a rule. */
export const sheet = <F extends z.core.$ZodLooseShape>(fields: F) => {
  const known = z.looseObject(fields);
  type Known = z.ZodObject<F, z.core.$strict>;
  return reading<typeof known, z.input<typeof known>>(withoutNulls, known) as z.ZodType<
    z.output<Known>,
    z.input<typeof known>
  >;
};
