import { it } from "vitest";
import { expectCrashSafe } from "./testing/crash.ts";

it(
  "a process killed at any instant loses nothing and doubles nothing (1,000 kills)",
  () => expectCrashSafe(1_000),
  6_000_000,
);
