/** Whose a place is, whatever is heard in which order, and who is there. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FleetNode } from "./node.ts";
import { isLater, lostAfterMs, Roster } from "./roster.ts";

const place = { places: 3, place: 2 };

const node = (instance: string, more: Partial<FleetNode> = {}): FleetNode => ({
  instance,
  name: `node ${instance}`,
  role: "worker",
  host: "here",
  pid: 1,
  version: "0.1.0",
  started: 1,
  state: "Ready",
  calls: 0,
  services: [],
  ...more,
});

const claimed = (instance: string, epoch: number, more: Partial<FleetNode> = {}) =>
  node(instance, { claim: { ...place, epoch }, ...more });

describe("a place", () => {
  it("is of the highest claim, in whichever order claims are heard, and of whichever node", () => {
    const claim = fc.record({ instance: fc.constantFrom("a", "b", "c", "d"), epoch: fc.integer({ min: 1, max: 5 }) });
    const claims = fc.uniqueArray(claim, { minLength: 1, maxLength: 6, selector: ({ instance }) => instance });
    fc.assert(
      fc.property(claims, fc.array(fc.nat({ max: 5 }), { maxLength: 20 }), fc.boolean(), (all, again, isByOthers) => {
        const roster = new Roster();
        const heard = [...all, ...again.flatMap((at) => all[at] ?? [])];
        for (const [at, { instance, epoch }] of heard.entries())
          roster.hear(
            isByOthers && at % 2 === 1
              ? node("kernel", { role: "kernel", owners: [{ ...place, epoch, instance, name: instance, quietMs: 10 }] })
              : claimed(instance, epoch),
            at,
          );
        const [first, ...rest] = all;
        if (first === undefined) return;
        const highest = rest.reduce((one, other) => (isLater(other, one) ? other : one), first);
        expect(roster.owner(place)).toMatchObject(highest);
      }),
    );
  });

  it("stays with one that is silent, and is free once that has left", () => {
    const roster = new Roster();
    roster.hear(claimed("a", 1), 0);
    expect(roster.owners(90_000)).toEqual([{ ...place, epoch: 1, instance: "a", name: "node a", quietMs: 90_000 }]);
    roster.hear(claimed("a", 1, { state: "Stopped" }), 90_000);
    expect(roster.owner(place)).toMatchObject({ isGone: true });
    // Another has heard of it before it left.
    roster.hear(node("k", { owners: [{ ...place, epoch: 1, instance: "a", name: "node a", quietMs: 500 }] }), 90_100);
    expect(roster.owner(place)).toMatchObject({ isGone: true });
    roster.hear(claimed("b", 2), 91_000);
    roster.hear(claimed("a", 1), 92_000);
    expect(roster.owner(place)).toMatchObject({ instance: "b", isGone: false });
  });
});

describe("the list", () => {
  it("shows one that is silent as lost, and forgets it after ten minutes, and one that left at once", () => {
    const roster = new Roster();
    roster.hear(node("b"), 0);
    roster.hear(node("a", { calls: 3 }), 0);
    const states = (now: number) => roster.list(now).map(({ name, state }) => [name, state]);
    expect(states(lostAfterMs)).toEqual([
      ["node a", "Ready"],
      ["node b", "Ready"],
    ]);
    roster.hear(node("a", { state: "Stopped" }), 1_000);
    expect(states(lostAfterMs + 1)).toEqual([["node b", "Lost"]]);
    expect(states(600_001)).toEqual([]);
  });

  it("knows so many nodes at most", () => {
    const roster = new Roster();
    for (let at = 0; at < 10_010; at += 1) roster.hear(node(String(at)), 0);
    expect(roster.list(0)).toHaveLength(10_000);
  });
});
