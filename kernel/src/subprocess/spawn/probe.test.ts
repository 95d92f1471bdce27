import { expect, test } from "vitest";
import type { Denial } from "../contain/containment.ts";
import { createProbe } from "./probe.ts";

/** A system that answers with these, in turn, and the same from the last one on; `late` is no answer in time. */
const system = (...answers: readonly ((deny: readonly Denial[]) => "yes" | "late" | "no")[]) => {
  const asked: string[] = [];
  const probe = createProbe(async (deny) => {
    asked.push(deny.join());
    const answer = answers[Math.min(asked.length, answers.length) - 1]?.(deny);
    return answer === "yes" ? undefined : { why: `said ${answer}`, isTimeout: answer === "late" };
  });
  return { asked, probe };
};

const slowMounts = (deny: readonly Denial[]) => (deny.includes("writing") ? ("late" as const) : ("yes" as const));
const noMounts = (deny: readonly Denial[]) => (deny.includes("writing") ? ("no" as const) : ("yes" as const));

test("one try is enough where all can be denied, and its answer is kept", async () => {
  const { asked, probe } = system(() => "yes");
  const [first, second] = await Promise.all([probe(), probe()]);
  expect(first).toMatchObject({ kind: "namespace", denials: ["network", "writing"] });
  expect(await probe()).toBe(first);
  expect(second).toBe(first);
  expect(asked).toEqual(["network,writing"]);
});

test("a try that took too long decides nothing: it says so, and the next call tries again", async () => {
  const { probe } = system(slowMounts, slowMounts, slowMounts, () => "yes");
  const first = await probe();
  expect(first).toMatchObject({
    kind: "namespace",
    denials: ["network"],
    undecided: expect.stringContaining("too busy"),
  });
  const second = await probe();
  expect(second).toMatchObject({ denials: ["network", "writing"] });
  expect(second.undecided).toBeUndefined();
});

test("nor where nothing at all ended in time", async () => {
  const { probe } = system(
    () => "late",
    () => "late",
    () => "yes",
  );
  expect(await probe()).toMatchObject({ denials: [], undecided: expect.stringContaining("said late") });
  expect(await probe()).toMatchObject({ kind: "namespace", denials: ["network", "writing"] });
});

test("what is refused is kept, with the reason", async () => {
  const { asked, probe } = system(noMounts);
  const found = await probe();
  expect(found).toMatchObject({
    denials: ["network"],
    detail: expect.stringContaining("writing cannot be denied: said no"),
  });
  expect(found.undecided).toBeUndefined();
  expect(await probe()).toBe(found);
  expect(asked).toHaveLength(4);
});
