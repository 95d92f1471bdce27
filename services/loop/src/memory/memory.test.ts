import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decayLessons, type Lesson, lessonLimits, mergeLesson, selectLessons } from "./lesson.ts";
import { decayTitles, recentlyCompletedTitles, recordTitle, titlesToAvoid, titleWeights } from "./title.ts";

const day = 86_400_000;
const now = 100 * day;

const lesson = (text: string, change: Partial<Lesson> = {}): Lesson => ({
  id: text,
  text,
  category: "gotcha",
  source: "qa_failure",
  weight: 50,
  tags: [],
  paths: [],
  lastUsedAt: now,
  ...change,
});

describe("learnings", () => {
  it("fade by the rate, by half of it when used in the last week, and vanish", () => {
    const [old, fresh] = [lesson("old", { lastUsedAt: now - 8 * day }), lesson("fresh")];
    expect(decayLessons([old, fresh, lesson("gone", { weight: 1.5 })], 3, now).map(({ weight }) => weight)).toEqual([
      47, 48.5,
    ]);
  });

  it("are confirmed by being learnt again, up to 100", () => {
    const twice = mergeLesson(mergeLesson([], lesson("a")), lesson("a"));
    expect(twice).toMatchObject([{ weight: 60 }]);
    expect(mergeLesson([lesson("a", { weight: 98 })], lesson("a"))).toMatchObject([{ weight: 100 }]);
  });

  it("are shown by relevance, within the budget", () => {
    const near = lesson("near", { paths: ["src/a.ts"], weight: 40 });
    const far = lesson("far", { paths: ["lib/a.ts"] });
    expect(selectLessons([far, near], { paths: ["src/b.ts"], tags: [] }, 2_000)[0]).toBe(near);
    expect(selectLessons([far, near], { paths: [], tags: [] }, 3).map(({ text }) => text)).toEqual(["far"]);
    const many = Array.from({ length: 40 }, (_, n) => lesson(String(n)));
    expect(selectLessons(many, { paths: [], tags: [] }, 2_000)).toHaveLength(lessonLimits.shown);
  });
});

describe("dedup memory", () => {
  it("weighs, grows and caps", () => {
    const first = recordTitle([], { title: "a", completed: false, at: now });
    expect(first).toMatchObject([{ weight: 60 }]);
    expect(recordTitle(first, { title: "a", completed: false, at: now })).toMatchObject([{ weight: 75 }]);
    expect(recordTitle(first, { title: "a", completed: true, at: now })).toMatchObject([
      { weight: 80, completed: true },
    ]);
    expect(recordTitle([], { title: "b", completed: true, at: now })).toMatchObject([{ weight: 80 }]);
  });

  it("fades: half when seen lately, half again when completed", () => {
    const entry = { title: "a", weight: 50, completed: false, seenAt: now - 4 * day };
    const weights = [
      entry,
      { ...entry, seenAt: now },
      { ...entry, completed: true },
      { ...entry, completed: true, seenAt: now },
    ];
    expect(decayTitles(weights, now).map(({ weight }) => weight)).toEqual([45, 47.5, 47.5, 48.75]);
    expect(decayTitles([{ ...entry, weight: 5 }], now)).toEqual([]);
  });

  it("knows what was finished within a day", () => {
    const entry = { title: "a", weight: 50, completed: true, seenAt: now - day / 2 };
    expect(
      recentlyCompletedTitles(
        [entry, { ...entry, title: "b", seenAt: now - 2 * day }, { ...entry, title: "c", completed: false }],
        now,
      ),
    ).toEqual(["a"]);
  });

  it("stays bounded, and names at most 1,500 characters", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 80 }), { maxLength: 600 }), (titles) => {
        const memory = titles.reduce<ReturnType<typeof recordTitle>>(
          (so, title) => recordTitle(so, { title, completed: false, at: now }),
          [],
        );
        expect(memory.length).toBeLessThanOrEqual(titleWeights.kept);
        expect(memory.every(({ weight }) => weight <= titleWeights.cap)).toBe(true);
        expect(titlesToAvoid(memory).join("").length).toBeLessThanOrEqual(titleWeights.characters);
      }),
      { numRuns: 20 },
    );
  });
});
