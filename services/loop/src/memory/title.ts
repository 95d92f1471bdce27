/** What was proposed before, across sessions: so that the same work is not proposed for ever. */

export interface Remembered {
  readonly title: string;
  /** 0..100; fades with each session. */
  readonly weight: number;
  readonly completed: boolean;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
}

export const dedupNumbers = {
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
export const decayRemembered = (memory: readonly Remembered[], now: number): readonly Remembered[] =>
  memory.flatMap((entry) => {
    const recent = now - entry.seenAt < 3 * day ? 0.5 : 1;
    const weight = entry.weight - dedupNumbers.decay * recent * (entry.completed ? 0.5 : 1);
    return weight > 0 ? [{ ...entry, weight }] : [];
  });

/** Notes a title: new with its first weight, known ones grow. */
export const remember = (
  memory: readonly Remembered[],
  { title, completed, at }: { readonly title: string; readonly completed: boolean; readonly at: number },
): readonly Remembered[] => {
  const known = memory.find((entry) => entry.title === title);
  const first = completed ? dedupNumbers.completed : dedupNumbers.weight;
  const entry: Remembered = {
    title,
    completed: completed || known?.completed === true,
    seenAt: at,
    weight:
      known === undefined ? first : Math.min(dedupNumbers.cap, Math.max(first, known.weight + dedupNumbers.again)),
  };
  return [...memory.filter((other) => other.title !== title), entry]
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, dedupNumbers.kept);
};

/** Titles finished within a day: proposals like them are duplicates. */
export const finishedLately = (memory: readonly Remembered[], now: number): readonly string[] =>
  memory.filter(({ completed, seenAt }) => completed && now - seenAt < day).map(({ title }) => title);

/** The titles a scout prompt names, heaviest first, within a number of characters. */
export const titlesToAvoid = (memory: readonly Remembered[]): readonly string[] => {
  let left: number = dedupNumbers.characters;
  return memory.flatMap(({ title }) => {
    left -= title.length;
    return left >= 0 ? [title] : [];
  });
};
