import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, judgeOwner, mismatches, type OwnerEvidence, type OwnerState } from "./decide.ts";
import type { OwnerCommand, OwnerPhase } from "./record.ts";

const evidence: fc.Arbitrary<OwnerEvidence> = fc.record({
  boot: fc.constantFrom("same", "other", "unknown"),
  process: fc.constantFrom("same", "gone", "unknown"),
  socket: fc.constantFrom("accepted", "refused", "missing", "denied"),
});
const phase = fc.constantFrom<OwnerPhase>("open", "ending", "released");
const command = fc.constantFrom<OwnerCommand>("up", "dev", "mcp serve", "call");
const state = fc.constantFrom<OwnerState>("free", "open", "ending", "unreachable");
const mismatch = fc.subarray(["user", "version", "configuration"] as const);

describe("the state of an owner", () => {
  test.each<[string, OwnerEvidence, OwnerState]>([
    ["its socket accepts", { boot: "same", process: "same", socket: "accepted" }, "open"],
    ["it runs in another container", { boot: "same", process: "gone", socket: "accepted" }, "open"],
    ["its pid is gone", { boot: "same", process: "gone", socket: "refused" }, "free"],
    ["its pid is another process now", { boot: "same", process: "gone", socket: "denied" }, "free"],
    ["the system was started again", { boot: "other", process: "same", socket: "refused" }, "free"],
    ["it was in a container that is gone", { boot: "same", process: "unknown", socket: "refused" }, "free"],
    ["somebody removed its socket", { boot: "same", process: "same", socket: "missing" }, "unreachable"],
    ["it has no socket and its pid is gone", { boot: "same", process: "gone", socket: "missing" }, "free"],
    ["it may run in another container", { boot: "same", process: "unknown", socket: "missing" }, "unreachable"],
    ["it may be busy, on macOS", { boot: "unknown", process: "unknown", socket: "refused" }, "unreachable"],
    ["it may run, on macOS", { boot: "unknown", process: "unknown", socket: "missing" }, "unreachable"],
    ["nothing of it can be told since a new start", { boot: "other", process: "unknown", socket: "missing" }, "free"],
    ["it is another user's", { boot: "same", process: "unknown", socket: "denied" }, "unreachable"],
  ])("when %s", (_, seen, expected) => expect(judgeOwner({ phase: "open" }, seen)).toBe(expected));

  test("is never free while its socket accepts, unless it has released the folder", () => {
    fc.assert(
      fc.property(phase, evidence, (at, seen) => {
        const judged = judgeOwner({ phase: at }, seen);
        if (at === "released") expect(judged).toBe("free");
        else if (seen.socket === "accepted") expect(judged).not.toBe("free");
      }),
    );
  });
});

describe("what a process does", () => {
  test("claims a free folder, and no other", () => {
    fc.assert(
      fc.property(command, command, state, mismatch, (own, owner, found, differs) => {
        const { do: decided } = decide({ command: own, state: found, owner: { command: owner }, mismatch: differs });
        expect(decided === "claim").toBe(found === "free");
      }),
    );
  });

  test("uses an owner's services only where nothing differs", () => {
    fc.assert(
      fc.property(command, command, state, mismatch, (own, owner, found, differs) => {
        const { do: decided } = decide({ command: own, state: found, owner: { command: owner }, mismatch: differs });
        if (decided === "attach") expect([own === "up", found, differs]).toEqual([false, "open", []]);
      }),
    );
  });

  test("`up` is refused beside an owner that stays, and waits for one that is over soon", () => {
    const meet = (owner: OwnerCommand) =>
      decide({ command: "up", state: "open", owner: { command: owner }, mismatch: [] });
    expect(meet("up")).toEqual({ do: "refuse", because: "owned" });
    expect(meet("mcp serve")).toEqual({ do: "refuse", because: "owned" });
    expect(meet("call")).toEqual({ do: "wait" });
  });

  test("names each term that differs", () => {
    const own = { configuration: "a", version: "1", user: "0" };
    expect(mismatches(own, own)).toEqual([]);
    expect(mismatches({ ...own, version: "2", user: "5" }, own)).toEqual(["user", "version"]);
    const other = { ...own, configuration: "other" };
    expect(mismatches(other, own)).toEqual(["configuration"]);
    expect(mismatches({ ...other, source: "s" }, { ...own, source: "t" })).toEqual(["configuration"]);
    expect(mismatches({ ...other, source: "s", user: "5" }, { ...own, source: "s" })).toEqual(["user"]);
  });
});
