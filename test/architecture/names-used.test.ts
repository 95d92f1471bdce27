/** What a file exports is used by another file, a test included; entries of packages are for others. Compares words, and so finds no more than there is. */
import { expect, it } from "vitest";
import { entryFiles, exportedNames } from "./entries.ts";
import { files, packages, read, sources } from "./sources.ts";

const wordsByFile = new Map(
  files
    .filter((path) => /\.(?:ts|tsx|js|mjs)$/.test(path))
    .map((path) => [path, new Set(read(path).match(/[A-Za-z_$][\w$]*/g))] as const),
);

const fileCounts = new Map<string, number>();
for (const words of wordsByFile.values())
  for (const word of words) fileCounts.set(word, (fileCounts.get(word) ?? 0) + 1);

/** What pages of services import by its address, wherever they were written. */
const kit = /^clients\/console\/src\/kit\//;

it.each(packages)("%s exports no name that only its own file uses", (room) => {
  const entries = new Set(entryFiles(room));
  const unused = sources(room)
    .filter(({ path }) => !entries.has(path) && !kit.test(path))
    .flatMap(({ path }) =>
      exportedNames(path)
        .filter((name) => fileCounts.get(name) === 1)
        .map((name) => `${path}: ${name}`),
    );
  expect(unused).toEqual([]);
});
