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

it("ends what it waits for from its caller, also once it was answered", async () => {
  const open = () => new CallScope("x.y", { deadlineMs: Number.POSITIVE_INFINITY });
  const silence = new Promise<never>(() => undefined);
  const [stopped, answered, gone] = [open(), open(), open()];
  const waits = [stopped.waitForCaller(silence), answered.waitForCaller(silence)];
  stopped.end(failure("unavailable", "it stops"));
  answered.dispose();
  await expect(waits[0]).rejects.toMatchObject({ code: "unavailable" });
  await expect(waits[1]).rejects.toMatchObject({ name: "AbortError" });
  gone.dispose();
  await expect(gone.waitForCaller(Promise.reject(new Error("late")))).rejects.toThrow();
  const scope = open();
  expect(await scope.waitForCaller(Promise.resolve(1))).toBe(1);
  await expect(scope.waitForCaller(Promise.reject(new Error("cut off")))).rejects.toThrow("cut off");
  scope.dispose();
});
