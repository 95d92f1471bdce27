/**
 * Decoding: a schema becomes a function that gives the parsed value or the issues, in the house's own shape.
 *
 * Schemas that are used again and again are compiled (`z.compile`, ten times faster on nested input; compiling takes as long
 * as decoding a hundred times, so that a process that is over soon never does it). The caps on issues are here, so that no
 * transport can send more, and so are the caps on the work of finding them: Zod notes every issue there is, and a union that fails
 * words those of all its branches, so that 60 KB of bad input could take half a minute. A large input is therefore refused for its
 * first fault alone. Not here: what an issue says (`issues.ts`); size and depth limits, which the kernel checks before decoding.
 */
import * as z from "zod";
import type { $ZodType, ParseContextInternal } from "zod/v4/core";
import type { Issue } from "./error.ts";
import { fromRaw, wording } from "./issues.ts";
import { asZod4, type Schema } from "./schema/schema.ts";
import { rebuildSchema, runSchema, type SchemaDef, schemaDef, withDef } from "./schema/zod-def.ts";

/** The decoded value, or at most 20 issues with path, expectation and fix. */
export type DecodeResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A compiled schema: reads raw input, and never throws. */
export type Decoder<T> = (input: unknown) => DecodeResult<T>;

const maxIssues = 20;
/** Leaves room for the envelope inside the 4 KB that an error may have, and for a batch of twenty errors inside 64 KB. */
const maxIssueBytes = 2_900;
/** Issues that Zod may word for one input, those of a union's branches included. */
const maxWorded = 5_000;
/** Values in an input that is looked through to its end for more faults. */
const maxValues = 10_000;

/** Uses before a schema is compiled. */
const usesBefore = 8;

/**
 * Makes a schema's decoder. Synchronous schemas only; an async refinement is a defect of the contract. `at` is the path of the
 * input in a larger document: every issue's path begins there.
 */
export const decoder = <T>(written: Schema, at: readonly PropertyKey[] = []): Decoder<T> => {
  const schema = asZod4(written);
  let uses = 0;
  let used = schema;
  return (input) => {
    uses += 1;
    if (uses === usesBefore) used = z.compile(schema);
    const jitless = uses < usesBefore;
    const first = attempt(() => runSchema(used, input, new IssueBudget({ abortEarly: true, jitless })));
    if (first === undefined) return { ok: false, issues: [tooManyToName] };
    // What was parsed without issues has the schema's type.
    if (first.issues.length === 0) return { ok: true, value: first.value as T };
    const found =
      (isLarge(input)
        ? undefined
        : attempt(() => runSchema(used, input, new IssueBudget({ abortEarly: false, jitless })))) ?? first;
    return { ok: false, issues: capIssues(fromRaw(found.issues.slice(0, maxIssues), at)) };
  };
};

/**
 * The same for what a person writes down, like a configuration: a key that an object does not know is an issue, also where a call would drop it.
 * An object that says what its further keys hold (`z.looseObject`, `catchall`) takes them.
 */
export const strictDecoder = <T>(written: Schema, at: readonly PropertyKey[] = []): Decoder<T> =>
  decoder<T>(rebuildSchema(asZod4(written), refuseUnknownKeys), at);

const refuseUnknownKeys = (schema: $ZodType, def: SchemaDef): $ZodType => {
  if (def.type === "object" && def.catchall === undefined)
    return withDef(schema, { ...def, catchall: new z.core.$ZodNever({ type: "never" }) });
  // What comes out of a pipe is made by its first half and not written by a person, but where that half is a function of what was written.
  const before = schemaDef(schema);
  if (def.type === "pipe" && before.type === "pipe" && schemaDef(before.in).type !== "transform")
    return withDef(schema, { ...def, out: before.out });
  // Zod refuses a key that both halves refuse; what is not an object refuses the keys of the other half in words of its own.
  if (def.type === "intersection" && !(hasOwnKeys(def.left) && hasOwnKeys(def.right))) return schema;
  return withDef(schema, def);
};

const hasOwnKeys = (schema: $ZodType): boolean => {
  const def = schemaDef(schema);
  return def.type === "object" || def.type === "record" || def.type === "intersection";
};

const isLarge = (input: unknown): boolean => {
  const pending: unknown[] = [input];
  for (let left = maxValues; pending.length > 0; ) {
    const node = pending.pop();
    if (typeof node !== "object" || node === null) continue;
    const children = readValues(node);
    // What throws when it is read came by no wire: its first issues will do.
    if (children === undefined) return true;
    left -= children.length;
    if (left < 0) return true;
    pending.push(...children);
  }
  return false;
};

const readValues = (node: object): readonly unknown[] | undefined => {
  try {
    return Object.values(node);
  } catch {
    return undefined;
  }
};

/** Zod reads `reportInput` for each issue that it words: the place to stop. */
class IssueBudget implements ParseContextInternal {
  readonly async = false;
  readonly error = wording;
  readonly abortEarly: boolean;
  /** True to leave out what Zod compiles by itself at first use, object by object. */
  readonly jitless: boolean;
  #left = maxWorded;

  constructor({ abortEarly, jitless }: Pick<IssueBudget, "abortEarly" | "jitless">) {
    this.abortEarly = abortEarly;
    this.jitless = jitless;
  }

  get reportInput(): boolean {
    this.#left -= 1;
    if (this.#left < 0) throw budgetSpent;
    return false;
  }
}

const budgetSpent = new RangeError("too many issues to word");

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch (cause) {
    if (cause === budgetSpent) return undefined;
    throw cause;
  }
};

const tooManyToName: Issue = {
  path: "",
  expected: "the shapes that the contract describes",
  fix: "send less at once: too much of this does not fit to name each place",
};

const capIssues = (issues: readonly Issue[]): readonly Issue[] => {
  const kept: Issue[] = [];
  let bytes = 0;
  for (const issue of issues.slice(0, maxIssues)) {
    bytes += Buffer.byteLength(JSON.stringify(issue));
    if (bytes > maxIssueBytes) break;
    kept.push(issue);
  }
  return kept;
};
