/**
 * Globs over project paths: `*` and `?` inside one part, `**` for any number of parts, `{a,b}` for alternatives. Brackets are
 * plain characters, because file names hold them (`[id].tsx`). Matching is by table, so no pattern can make it slow.
 *
 * Not here: negation, and anything that reads the disk.
 */

const max = { alternatives: 64, braces: 12 } as const;

export const isGlob = (text: string): boolean => /[*?{]/.test(text);

/** A pattern compiled for many paths. */
type PathMatcher = (path: string) => boolean;

/** Matches the whole path. */
export const createGlobMatcher = (pattern: string): PathMatcher => {
  const readings = expandBraces(pattern).map((one) => {
    const pieces = one.split("/").filter((part) => part !== "" && part !== ".");
    return { pieces, literal: longestLiteral(pieces) };
  });
  return (path) => {
    const open = readings.filter(({ literal }) => path.includes(literal));
    if (open.length === 0) return false;
    const parts = path.split("/");
    return open.some(({ pieces }) => matchParts(pieces, parts));
  };
};

/** The longest literal text of every match: it alone rules out most paths. */
const longestLiteral = (pieces: readonly string[]): string =>
  pieces.flatMap((piece) => piece.split(/[*?]/)).reduce((best, text) => (text.length > best.length ? text : best), "");

/** Matches the path or a folder above it: the meaning of allowed paths. */
export const createCoverMatcher = (pattern: string): PathMatcher => {
  if (isGlob(pattern)) return createGlobMatcher(pattern);
  const folder = pattern.replace(/(?<!\/)\/+$/, "");
  return (path) => path === folder || path.startsWith(`${folder}/`);
};

export const matchesGlob = (pattern: string, path: string): boolean => createGlobMatcher(pattern)(path);

export const coversPath = (pattern: string, path: string): boolean => createCoverMatcher(pattern)(path);

/** Expands braces: the first 64 alternatives, the first twelve braces; unbalanced ones stay as they are. */
const expandBraces = (pattern: string): readonly string[] => {
  let open: string[] = [pattern];
  for (let round = 0; round < max.braces; round += 1) {
    const next: string[] = [];
    let expanded = false;
    for (const one of open) {
      const braces = /\{([^{}]*)\}/.exec(one);
      if (braces === null) {
        next.push(one);
        continue;
      }
      expanded = true;
      const [whole, inner = ""] = braces;
      for (const choice of inner.split(",", max.alternatives))
        next.push(one.slice(0, braces.index) + choice + one.slice(braces.index + whole.length));
    }
    open = next.slice(0, max.alternatives);
    if (!expanded) break;
  }
  return open;
};

/** `reached[j]`: the pattern read so far can match the first j items. */
const matchParts = (pattern: readonly string[], parts: readonly string[]): boolean => {
  let reached = [true, ...parts.map(() => false)];
  for (const piece of pattern) {
    const next = [piece === "**" && reached[0] === true];
    for (let j = 1; j <= parts.length; j += 1) {
      next[j] =
        piece === "**"
          ? reached[j] === true || next[j - 1] === true
          : reached[j - 1] === true && matchPart(piece, parts[j - 1] ?? "");
    }
    reached = next;
  }
  return reached[parts.length] === true;
};

/** One part against one piece: the usual two-pointer walk, linear but for the last star. */
const matchPart = (piece: string, part: string): boolean => {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < part.length) {
    const token = piece[p];
    if (token === "*") {
      star = p;
      resume = t;
      p += 1;
    } else if (token !== undefined && (token === "?" || token === part[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      resume += 1;
      t = resume;
    } else return false;
  }
  while (piece[p] === "*") p += 1;
  return p === piece.length;
};
