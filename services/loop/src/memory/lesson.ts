/** Lessons of earlier tickets: how they are weighed, how they fade, and which of them a prompt shows. */

import { shortHash } from "../value/hash.ts";

export type LearningCategory = "gotcha" | "pattern" | "warning" | "context";
export type LearningSource = "ticket_failure" | "qa_failure" | "plan_rejection" | "review_downgrade" | "ticket_success";

export interface Learning {
  /** Fingerprint of the text: the same lesson again is a confirmation. */
  readonly id: string;
  readonly text: string;
  readonly category: LearningCategory;
  readonly source: LearningSource;
  /** 0..100. */
  readonly weight: number;
  readonly tags: readonly string[];
  readonly paths: readonly string[];
  /** Milliseconds since the epoch. */
  readonly lastUsedAt: number;
}

export const learningNumbers = { text: 200, weight: 50, confirmation: 10, cap: 100, shown: 15, kept: 200 } as const;

const day = 86_400_000;

/** What is to be remembered, and of what it comes. */
export interface Lesson extends Pick<Learning, "source" | "category" | "text" | "tags" | "paths"> {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A lesson in the form in which it is kept: on one line, at most 200 characters. */
export const learningFrom = ({ source, category, text, tags, paths, at }: Lesson): Learning => {
  const short = text.replaceAll(/\s+/g, " ").trim().slice(0, learningNumbers.text);
  return {
    id: `lrn_${shortHash(short)}`,
    text: short,
    category,
    source,
    weight: learningNumbers.weight,
    tags,
    paths: paths.slice(0, 10),
    lastUsedAt: at,
  };
};

/** One session later: weights lose `rate`, half of it when the lesson was used in the last week; faded ones are gone. */
export const decayLearnings = (learnings: readonly Learning[], rate: number, now: number): readonly Learning[] =>
  learnings.flatMap((learning) => {
    const recent = now - learning.lastUsedAt < 7 * day;
    const weight = learning.weight - (recent ? rate / 2 : rate);
    return weight > 0 ? [{ ...learning, weight }] : [];
  });

/** Adds a lesson, or confirms the one that says the same. */
export const learn = (learnings: readonly Learning[], lesson: Learning): readonly Learning[] => {
  const known = learnings.find(({ id }) => id === lesson.id);
  const next =
    known === undefined
      ? [...learnings, lesson]
      : learnings.map((learning) =>
          learning.id === lesson.id
            ? {
                ...learning,
                weight: Math.min(learningNumbers.cap, learning.weight + learningNumbers.confirmation),
                lastUsedAt: lesson.lastUsedAt,
              }
            : learning,
        );
  return next.toSorted((a, b) => b.weight - a.weight).slice(0, learningNumbers.kept);
};

/** The lessons worth showing for some paths and tags, best first, within a number of characters. */
export const relevantLearnings = (
  learnings: readonly Learning[],
  about: { readonly paths: readonly string[]; readonly tags: readonly string[] },
  characters: number,
): readonly Learning[] => {
  const ranked = learnings
    .map((learning) => ({ learning, rank: learning.weight + 20 * overlap(learning, about) }))
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, learningNumbers.shown);
  let left = characters;
  return ranked.flatMap(({ learning }) => {
    left -= learning.text.length;
    return left >= 0 ? [learning] : [];
  });
};

const overlap = (
  { paths, tags }: Learning,
  about: { readonly paths: readonly string[]; readonly tags: readonly string[] },
): number => {
  const folders = new Set(about.paths.map(folderOf));
  const near = paths.filter((path) => folders.has(folderOf(path))).length;
  return Math.min(1, near) + Math.min(1, tags.filter((tag) => about.tags.includes(tag)).length);
};

const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");
