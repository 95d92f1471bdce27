/** What a schedule does next while the clock goes on, jumps ahead, is set back, and changes to summer time. */
import { Cron } from "croner";
import { describe, expect, it } from "vitest";
import { nextStep } from "./next-step.ts";

const at = (iso: string): Date => new Date(iso);
const cron = (expression: string, timezone = "UTC"): Cron => new Cron(expression, { timezone, paused: true });

/** The ticks of a schedule that is looked at at these times, as it looks at itself. */
const ticksAt = (clock: Cron, start: string, ...looks: readonly string[]): readonly string[] => {
  const ticks: string[] = [];
  let last = at(start);
  for (const look of looks)
    for (let step = nextStep(clock, last, at(look)); step !== undefined; step = nextStep(clock, last, at(look))) {
      last = step.last;
      if (step.tag === "wait") break;
      ticks.push(step.last.toISOString());
    }
  return ticks;
};

describe("the next step of a schedule", () => {
  it("is to wait for a tick, and then the tick", () => {
    const hourly = cron("0 * * * *");
    const last = at("2026-01-01T10:00:00Z");
    expect(nextStep(hourly, last, at("2026-01-01T10:59:58Z"))).toEqual({ tag: "wait", last, waitMs: 2_000 });
    expect(ticksAt(hourly, "2026-01-01T10:00:00Z", "2026-01-01T11:00:00.000Z", "2026-01-01T11:30:00Z")).toEqual([
      "2026-01-01T11:00:00.000Z",
    ]);
  });

  it("is one tick, the latest, after a jump ahead over many", () => {
    expect(ticksAt(cron("* * * * *"), "2026-01-01T22:00:00Z", "2026-01-02T07:00:30Z")).toEqual([
      "2026-01-02T07:00:00.000Z",
    ]);
  });

  it("goes on from now after the clock was years ahead", () => {
    const daily = cron("0 3 * * *");
    const ticks = ticksAt(daily, "2031-05-05T03:00:00Z", "2026-01-01T12:00:00Z", "2026-01-02T03:00:01Z");
    expect(ticks).toEqual(["2026-01-02T03:00:00.000Z"]);
  });

  it("has the same time again after a small step back, and so the same key", () => {
    const hourly = cron("0 * * * *");
    const looks = ["2026-01-01T11:00:00Z", "2026-01-01T10:59:59Z", "2026-01-01T11:00:00Z"];
    expect(new Set(ticksAt(hourly, "2026-01-01T10:30:00Z", ...looks))).toEqual(new Set(["2026-01-01T11:00:00.000Z"]));
  });

  it.each([
    ["spring", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"]],
    ["autumn", "2026-10-24T12:00:00Z", ["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]],
  ])("is once a day in the night of the clock change in %s", (_, start, ticks) => {
    const looks = Array.from({ length: 4 * 44 }, (__, quarter) =>
      new Date(at(start).getTime() + quarter * 900_000).toISOString(),
    );
    expect(ticksAt(cron("30 2 * * *", "Europe/Berlin"), start, ...looks)).toEqual(ticks);
  });

  it("is none where no tick comes any more", () => {
    expect(nextStep(cron("0 0 0 1 1 * 2020"), at("2026-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z"))).toBe(undefined);
  });
});
