/** How alike two titles are: Jaccard's index over their pairs of neighbouring letters. 0 is nothing in common, 1 the same. */

/** From here on two titles mean the same work. */
export const nearDuplicate = 0.6;

const pairs = (title: string): ReadonlySet<string> => {
  const letters = title
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const found = new Set<string>();
  for (let index = 0; index + 1 < letters.length; index += 1) found.add(letters.slice(index, index + 2));
  if (found.size === 0 && letters !== "") found.add(letters);
  return found;
};

export const similarity = (a: string, b: string): number => {
  const [left, right] = [pairs(a), pairs(b)];
  if (left.size === 0 || right.size === 0) return left.size === right.size ? 1 : 0;
  const common = [...left].filter((pair) => right.has(pair)).length;
  return common / (left.size + right.size - common);
};
