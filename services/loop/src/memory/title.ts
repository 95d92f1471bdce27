/** What was proposed before, across sessions: so that the same work is not proposed for ever. */

export interface SeenTitle {
  readonly title: string;
  /** 0..100; fades with each session. */
  readonly weight: number;
  readonly completed: boolean;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
}

export const titleWeights = {
  weight: 60,
  completed: 80,
  again: 15,
  cap: 100,
  decay: 5,
  kept: 300,
  characters: 1_500,
} as const;

const day = 86_400_000;

/** One session later: half the loss when seen in the last three days, and half again when the work was completed. */
export const decayTitles = (memory: readonly SeenTitle[], now: number): readonly SeenTitle[] =>
  memory.flatMap((entry) => {
    const recent = now - entry.seenAt < 3 * day ? 0.5 : 1;
    const weight = entry.weight - titleWeights.decay * recent * (entry.completed ? 0.5 : 1);
    return weight > 0 ? [{ ...entry, weight }] : [];
  });

/** Notes a title: new with its first weight, known ones grow. */
export const recordTitle = (
  memory: readonly SeenTitle[],
  { title, completed, at }: { readonly title: string; readonly completed: boolean; readonly at: number },
): readonly SeenTitle[] => {
  const known = memory.find((entry) => entry.title === title);
  const first = completed ? titleWeights.completed : titleWeights.weight;
  const entry: SeenTitle = {
    title,
    completed: completed || known?.completed === true,
    seenAt: at,
    weight:
      known === undefined ? first : Math.min(titleWeights.cap, Math.max(first, known.weight + titleWeights.again)),
  };
  return [...memory.filter((other) => other.title !== title), entry]
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, titleWeights.kept);
};

/** Titles finished within a day: proposals like them are duplicates. */
export const recentlyCompletedTitles = (memory: readonly SeenTitle[], now: number): readonly string[] =>
  memory.filter(({ completed, seenAt }) => completed && now - seenAt < day).map(({ title }) => title);

/** The titles a scout prompt names, heaviest first, within a number of characters. */
export const titlesToAvoid = (memory: readonly SeenTitle[]): readonly string[] => {
  let left: number = titleWeights.characters;
  return memory.flatMap(({ title }) => {
    left -= title.length;
    return left >= 0 ? [title] : [];
  });
};
