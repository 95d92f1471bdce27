/**
 * The parameters that the spec writes in camel case: models that write all names in snake case are understood too. The schema shows
 * the spec's names only.
 */
import * as z from "zod";

const record = z.record(z.string(), z.unknown());

const inSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An input whose fields are understood in both spellings; the spec's one wins. */
export const inEitherSpelling = <S extends z.ZodObject>(input: S) => {
  const names = Object.keys(input.shape).filter((name) => inSnakeCase(name) !== name);
  return z.preprocess((given: z.input<S>): unknown => {
    const read = record.safeParse(given);
    if (!read.success) return given;
    const other = names.filter(
      (name) => !Object.hasOwn(read.data, name) && Object.hasOwn(read.data, inSnakeCase(name)),
    );
    return { ...read.data, ...Object.fromEntries(other.map((name) => [name, read.data[inSnakeCase(name)]])) };
  }, input);
};
