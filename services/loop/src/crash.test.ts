/** A sample of the kills of `crash.long.test.ts`. */
import { it } from "vitest";
import { expectCrashSafe } from "./testing/crash.ts";

it("a process killed at any instant loses nothing and doubles nothing (2 kills)", () => expectCrashSafe(2));
