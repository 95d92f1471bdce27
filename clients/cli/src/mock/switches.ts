/**
 * What `fairlead mock` is asked to do wrong, and how slowly: its flags as data.
 *
 * Not here: answering calls (`mocked-service`).
 */
import { isCode } from "@fairlead/contracts";
import { UsageError } from "../command/failure.ts";
import { nearest, suggestHint } from "../text/suggest.ts";

/** Calls that fail. */
export interface FailureSwitch {
  /** Full name of the procedure; every one where it is left out. */
  readonly procedure?: string;
  /** The reason of a declared error, or one of the sixteen codes; any declared error where it is left out. */
  readonly error?: string;
  /** The share of calls that fail, above 0 and at most 1. */
  readonly share: number;
}

/** Milliseconds before an answer, from and to. */
export interface Latency {
  readonly least: number;
  readonly most: number;
}

/** A procedure that may be named, with the reasons of its declared errors. */
type KnownErrors = ReadonlyMap<string, readonly string[]>;

const usage =
  "`--fail` takes a share (0.1), or a procedure and an error (notes.add=too_long, notes.add=unavailable@0.5)";

/** Reads the values of `--fail`. */
export const parseFailures = (given: readonly string[], known: KnownErrors): readonly FailureSwitch[] =>
  given.map((text) => {
    if (/^[\d.]+$/.test(text)) return { share: parseShare(text, text) };
    const [, procedure, error, share = "1"] = /^([^=@]+)=([^=@]+)(?:@([\d.]+))?$/.exec(text) ?? [];
    if (procedure === undefined || error === undefined)
      throw new UsageError(`--fail ${JSON.stringify(text)} says no share and no error`, usage);
    const reasons = known.get(procedure);
    if (reasons === undefined) {
      const hint = suggestHint([nearest(procedure, [...known.keys()])], "see `fairlead ls`");
      throw new UsageError(`--fail names ${procedure}, and there is no such procedure`, hint);
    }
    if (!reasons.includes(error) && !isCode(error)) {
      const all = reasons.length === 0 ? "it declares no error" : `it declares ${reasons.join(", ")}`;
      throw new UsageError(
        `${procedure} cannot fail with ${error}: ${all}`,
        "name one of those, or a code like unavailable",
      );
    }
    return { procedure, error, share: parseShare(share, text) };
  });

const parseShare = (text: string, whole: string): number => {
  const share = Number(text);
  if (share > 0 && share <= 1) return share;
  throw new UsageError(`--fail ${JSON.stringify(whole)}: a share is above 0 and at most 1`, usage);
};

/** Reads `--latency`: `50`, or `50..250`. */
export const parseLatency = (text: string | undefined): Latency | undefined => {
  if (text === undefined) return undefined;
  const [, least, most = least] = /^(\d{1,6})(?:\.\.(\d{1,6}))?$/.exec(text) ?? [];
  if (least !== undefined && Number(most) >= Number(least)) return { least: Number(least), most: Number(most) };
  throw new UsageError(`--latency takes milliseconds, not ${JSON.stringify(text)}`, "like 50 or 50..250");
};

/** Reads a whole number from `least` to a million. */
export const parseCount = (flag: string, text: string | undefined, least: number): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`${flag} takes a whole number from ${least} to 999999, not ${JSON.stringify(text)}`);
};
