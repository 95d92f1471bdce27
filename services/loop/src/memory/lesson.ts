/** Lessons of earlier tickets: how they are weighed, how they fade, and which of them a prompt shows. */

import { parentFolder } from "../scope/path.ts";
import { shortHash } from "../value/hash.ts";

type LessonCategory = "gotcha" | "pattern" | "warning" | "context";
type LessonSource = "ticket_failure" | "qa_failure" | "plan_rejection" | "review_downgrade" | "ticket_success";

export interface Lesson {
  /** Fingerprint of the text: the same lesson again is a confirmation. */
  readonly id: string;
  readonly text: string;
  readonly category: LessonCategory;
  readonly source: LessonSource;
  /** 0..100. */
  readonly weight: number;
  readonly tags: readonly string[];
  readonly paths: readonly string[];
  /** Milliseconds since the epoch. */
  readonly lastUsedAt: number;
}

export const lessonLimits = { text: 200, weight: 50, confirmation: 10, cap: 100, shown: 15, kept: 200 } as const;

const day = 86_400_000;

/** A lesson before it is stored. */
export interface LessonDraft extends Pick<Lesson, "source" | "category" | "text" | "tags" | "paths"> {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A lesson in the form in which it is kept: on one line, at most 200 characters. */
export const createLesson = ({ source, category, text, tags, paths, at }: LessonDraft): Lesson => {
  const short = text.replaceAll(/\s+/g, " ").trim().slice(0, lessonLimits.text);
  return {
    id: `lrn_${shortHash(short)}`,
    text: short,
    category,
    source,
    weight: lessonLimits.weight,
    tags,
    paths: paths.slice(0, 10),
    lastUsedAt: at,
  };
};

/** One session later: weights lose `rate`, half of it when the lesson was used in the last week; those at 0 are removed. */
export const decayLessons = (learnings: readonly Lesson[], rate: number, now: number): readonly Lesson[] =>
  learnings.flatMap((learning) => {
    const recent = now - learning.lastUsedAt < 7 * day;
    const weight = learning.weight - (recent ? rate / 2 : rate);
    return weight > 0 ? [{ ...learning, weight }] : [];
  });

/** Adds a lesson, or confirms the one that says the same. */
export const mergeLesson = (learnings: readonly Lesson[], lesson: Lesson): readonly Lesson[] => {
  const known = learnings.find(({ id }) => id === lesson.id);
  const next =
    known === undefined
      ? [...learnings, lesson]
      : learnings.map((learning) =>
          learning.id === lesson.id
            ? {
                ...learning,
                weight: Math.min(lessonLimits.cap, learning.weight + lessonLimits.confirmation),
                lastUsedAt: lesson.lastUsedAt,
              }
            : learning,
        );
  return next.toSorted((a, b) => b.weight - a.weight).slice(0, lessonLimits.kept);
};

/** The lessons worth showing for some paths and tags, best first, within a number of characters. */
export const selectLessons = (
  learnings: readonly Lesson[],
  about: { readonly paths: readonly string[]; readonly tags: readonly string[] },
  characters: number,
): readonly Lesson[] => {
  const ranked = learnings
    .map((learning) => ({ learning, rank: learning.weight + 20 * overlap(learning, about) }))
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, lessonLimits.shown);
  let left = characters;
  return ranked.flatMap(({ learning }) => {
    left -= learning.text.length;
    return left >= 0 ? [learning] : [];
  });
};

const overlap = (
  { paths, tags }: Lesson,
  about: { readonly paths: readonly string[]; readonly tags: readonly string[] },
): number => {
  const folders = new Set(about.paths.map(parentFolder));
  const near = paths.filter((path) => folders.has(parentFolder(path))).length;
  return Math.min(1, near) + Math.min(1, tags.filter((tag) => about.tags.includes(tag)).length);
};
