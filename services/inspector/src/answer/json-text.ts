/** An answer as JSON, written in steps: a text of a megabyte in one call stops the thread for as long as a slice may take. */
import { LinqError, type PauseBudget, type Resumable } from "@fairlead/linq";

/** Values written between two questions to the budget. */
const askEvery = 16;
/** Levels that are written value by value; what is below them is small. */
const levels = 5;

class JsonWriter {
  readonly parts: string[] = [];
  readonly #budget: PauseBudget | undefined;
  #written = 0;

  constructor(budget: PauseBudget | undefined) {
    this.#budget = budget;
  }

  *write(value: unknown, level = 0): Resumable<void> {
    if (++this.#written % askEvery === 0 && this.#budget?.isSpent() === true) yield;
    if (typeof value !== "object" || value === null || level >= levels)
      this.parts.push(JSON.stringify(value) ?? "null");
    else if (Array.isArray(value)) yield* this.#list(value, level);
    else yield* this.#object(value, level);
  }

  *#list(values: readonly unknown[], level: number): Resumable<void> {
    this.parts.push("[");
    for (const [index, value] of values.entries()) {
      if (index > 0) this.parts.push(",");
      yield* this.write(value, level + 1);
    }
    this.parts.push("]");
  }

  *#object(value: object, level: number): Resumable<void> {
    this.parts.push("{");
    let isFirst = true;
    for (const [name, each] of Object.entries(value)) {
      if (each === undefined) continue;
      this.parts.push(`${isFirst ? "" : ","}${JSON.stringify(name)}:`);
      isFirst = false;
      yield* this.write(each, level + 1);
    }
    this.parts.push("}");
  }
}

/** The same text as `JSON.stringify` gives for plain data. */
export const writeJson = function* (value: unknown, budget: PauseBudget | undefined): Resumable<string> {
  const writer = new JsonWriter(budget);
  yield* writer.write(value);
  return writer.parts.join("");
};

/**
 * An answer itself; throws `result_too_large` where its JSON has more bytes than allowed: what is around its values (names, types,
 * expressions) counts as well as they do.
 */
export const withinBytes = function* <T extends object>(
  answer: T,
  bytes: number,
  budget: PauseBudget | undefined,
): Resumable<T> {
  const size = Buffer.byteLength(yield* writeJson(answer, budget));
  if (size <= bytes) return answer;
  throw new LinqError("result_too_large", `The answer has ${size} bytes; ${bytes} are allowed`, {
    position: 0,
    hint: "explore with a smaller `depth` or `limit`, go on with `offset`, or start at an `expr` of its members",
  });
};
