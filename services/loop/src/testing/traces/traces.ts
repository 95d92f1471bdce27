/**
 * Traces of a ticket's work for the loop detection: what was reported, step by step, and what differs by chance each time a program
 * runs. `families.ts` labels them. Not here: the detector (`../../spindle`).
 */

/** One thing that happened to a ticket. */
type TraceStep =
  /** A result: the fingerprint of its diff, null for none, and the summary. */
  | { readonly kind: "result"; readonly diff: string | null; readonly summary: string }
  /** An execute prompt that was asked for again without a result. */
  | { readonly kind: "idle" }
  | { readonly kind: "failure"; readonly command: string; readonly output: string }
  | { readonly kind: "pass"; readonly command: string };

export type Trace = readonly TraceStep[];

let summaries = 0;

/** A result; its summary is another one each time when it is left out. */
export const result = (diff: string | null, summary?: string): TraceStep => {
  summaries += 1;
  return { kind: "result", diff, summary: summary ?? `Reworked part ${spell(summaries)}.` };
};
export const idle: TraceStep = { kind: "idle" };
export const failure = (output: string, command = "npm test"): TraceStep => ({ kind: "failure", command, output });
export const pass = (command = "npm test"): TraceStep => ({ kind: "pass", command });

/** The same step so many times, made again each time. */
export const times = (count: number, make: (index: number) => TraceStep): Trace =>
  Array.from({ length: count }, (_, index) => make(index));

/** A word without digits for a number. */
const spell = (number: number): string =>
  [...String(number)].map((digit) => String.fromCharCode(97 + Number(digit))).join("");

/** What differs by chance between two runs of one program. */
export interface Noise {
  readonly ms: () => string;
  readonly seconds: () => string;
  readonly address: () => string;
  readonly number: (max: number) => number;
  /** A random word for the name of a temporary folder. */
  readonly word: () => string;
  readonly uuid: () => string;
  readonly clock: () => string;
}

/** Noise from a seed: a linear congruential generator. */
export const createNoise = (seed: number): Noise => {
  let state = seed >>> 0;
  const number = (max: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
  const hex = (length: number): string => Array.from({ length }, () => number(16).toString(16)).join("");
  const two = (max: number): string => String(number(max)).padStart(2, "0");
  return {
    number,
    ms: () => `${number(900) + 1}.${number(1_000_000)}`,
    seconds: () => `${number(20)}.${two(100)}`,
    address: () => `0x${hex(12)}`,
    word: () => Array.from({ length: 6 }, () => "abcdefghijkXYZ0123456789".charAt(number(24))).join(""),
    uuid: () => [8, 4, 4, 4, 12].map(hex).join("-"),
    clock: () => `${two(24)}:${two(60)}:${two(60)}`,
  };
};
