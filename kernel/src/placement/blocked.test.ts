/** When a silent thread is ended, and when it may go on. */
import { expect, it } from "vitest";
import { findBlocking } from "./blocked.ts";

const now = 1_000;
const silent = { unanswered: 4, now };
const never = Number.POSITIVE_INFINITY;
const late = { hasBegun: true, due: 900 };
const early = { hasBegun: true, due: 2_000 };
const stream = { hasBegun: true, due: never };
const waiting = { hasBegun: false, due: 900 };

it("is blocked by a call that has begun and is late", () => {
  expect(findBlocking([late, waiting], silent)).toEqual([late]);
});

it("is not blocked while it answers, or before a deadline", () => {
  expect(findBlocking([late], { unanswered: 3, now })).toBeUndefined();
  expect(findBlocking([early], silent)).toBeUndefined();
  expect(findBlocking([], silent)).toBeUndefined();
});

it("lets a call that has begun have its time, whoever waits behind it", () => {
  expect(findBlocking([waiting, early], silent)).toBeUndefined();
  expect(findBlocking([late, early], silent)).toBeUndefined();
});

it("is blocked by a stream once another call is late behind it, and by no call where none has begun", () => {
  expect(findBlocking([stream, waiting], silent)).toEqual([stream]);
  expect(findBlocking([waiting], silent)).toEqual([]);
});
