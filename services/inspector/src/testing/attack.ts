/** How hostile cases run: on the world that records every getter, trap and change. */

import { types } from "node:util";
import { evaluate, LinqError, type QueryText, runQuery } from "@fairlead/linq";
import { defaultLimits } from "@fairlead/linq/limits";
import { afterEach, beforeEach, expect } from "vitest";
import { Encoder } from "../encode/encode.ts";
import { fingerprint, fired, hostileWorld } from "./hostile.ts";

export const limits = { ...defaultLimits, wallMs: 20_000, fuelPerRow: 200_000, fuelPerQuery: 2_000_000 };
const world = hostileWorld(limits);
export const { host } = world;
let before = "";

const encode = (value: unknown, type: Parameters<Encoder["encode"]>[1]): string =>
  JSON.stringify(new Encoder({ host, items: 50, bytes: 1_048_576 }).encode(value, type, { depth: 3, path: "" }));

/** What came out: JSON text, or the code of our error. Anything else thrown fails the test. */
const outcome = (run: () => string): string => {
  try {
    return run();
  } catch (error) {
    if (error instanceof LinqError) return error.code;
    throw error;
  }
};

/** An expression, as its JSON or the code of its error. */
export const evaluated = (text: string): string =>
  outcome(() => {
    const { value, type } = evaluate(text, { host, limits });
    return encode(value, type);
  });

/** A query, likewise. */
export const queried = (query: QueryText): string =>
  outcome(() => {
    const { rows, type } = runQuery(query, { host, limits });
    return JSON.stringify(rows.map((row) => encode(row, type)));
  });

/** Nothing of the world may have run or changed after a case. */
export const checkUnchanged = (): void => {
  beforeEach(() => {
    fired.length = 0;
    before = fingerprint(world.roots, types.isProxy);
  });

  afterEach(() => {
    expect(fired).toEqual([]);
    expect(fingerprint(world.roots, types.isProxy)).toBe(before);
  });
};

/** Words that must never come out: they would mean that a function, a prototype or the process was reached. */
export const leaks = /native code|\[Function|process|node:|prototype|globalThis|=>|class /;
