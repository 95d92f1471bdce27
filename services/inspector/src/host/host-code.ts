/**
 * Functions of the host that it marked as readable or free of effects, made safe to call: whatever they throw becomes our error. What was
 * thrown is reported by its class's name at most, read without running anything: its message may contain a value of the host.
 */

import { types } from "node:util";
import { fault, LinqError } from "@fairlead/linq";
import { ownData, prototypes } from "./reading.ts";

let running: string | undefined;

/** The function that was running when it was ended from outside, which no `finally` sees; forgets it. */
export const runningHostCode = (): string | undefined => {
  const ended = running;
  running = undefined;
  return ended;
};

/** The function as it is called from here; `name` is its name in messages. */
export const guardHostCode =
  <A extends readonly unknown[], R>(name: string, run: (...values: A) => R): ((...values: A) => R) =>
  (...values) => {
    const outer = running;
    running = name;
    try {
      return run(...values);
    } catch (thrown) {
      if (LinqError.is(thrown)) throw thrown;
      throw fault(
        "host_failed",
        `'${name}' failed in the host with ${describeThrown(thrown)}`,
        "see the host's own log",
      );
    } finally {
      running = outer;
    }
  };

const { then } = Promise.prototype;
const nothing = (): void => undefined;

/**
 * Marks a promise that a call gave as handled: it is part of an answer, and no code of the program awaits it. One that is not quite the language's own is left
 * as it is, since to chain it would run what it was changed by.
 */
export const ignoreRejection = <T>(given: T): T => {
  const isOwn =
    types.isPromise(given) &&
    Object.getPrototypeOf(given) === Promise.prototype &&
    Object.getOwnPropertyDescriptor(given, "constructor") === undefined;
  if (isOwn) Reflect.apply(then, given, [nothing, nothing]);
  return given;
};

const describeThrown = (thrown: unknown): string => {
  if (!types.isNativeError(thrown)) return "something that is not an error";
  for (const prototype of prototypes(thrown)) {
    const name = nameIn(prototype);
    if (name !== undefined) return name;
  }
  return "an error";
};

const nameIn = (prototype: object): string | undefined => {
  try {
    const name = ownData(prototype, "name");
    return typeof name === "string" && name !== "" ? name.slice(0, 60) : undefined;
  } catch {
    return undefined;
  }
};
