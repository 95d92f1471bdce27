/** Who listens to the end of a call's scope. Its deadline is held equal to `Effect.timeout` in `policy.test.ts`. */
import { expect, it } from "vitest";
import { failure } from "../call/error.ts";
import { CallScope } from "./call-scope.ts";

it("reports its end to all, also when one of them leaves meanwhile", () => {
  const scope = new CallScope("x.y", { deadlineMs: Number.POSITIVE_INFINITY });
  const called: string[] = [];
  const leave = scope.onEnd(() => {
    leave();
    called.push("first");
  });
  scope.onEnd(() => called.push("second"));
  scope.end(failure("unavailable", "it stops"));
  expect(called).toEqual(["first", "second"]);
  scope.dispose();
});
