import { it } from "vitest";
import { expectCrashSafe } from "./testing/crash.ts";

it(
  "a process killed at any instant loses nothing and doubles nothing (200 kills)",
  () => expectCrashSafe(200),
  1_200_000,
);
