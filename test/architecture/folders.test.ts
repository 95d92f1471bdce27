/** The folders of each package: which way imports go between them, how many files they hold. */
import { describe, expect, it } from "vitest";
import { folderEdges, isForTests, mutualPairs, roomEdges, sizes } from "./folders.ts";
import { order, plainLists } from "./order.ts";
import { packages, type Source, sources } from "./sources.ts";

const code = (room: string): readonly Source[] => sources(room).filter(({ path }) => !isForTests(path));
const most = 20;

/** One command that hands over to another has no code in TypeScript. */
const withCode = packages.filter((folder) => folder !== "clients/create");

describe.each(withCode)("%s", (room) => {
  const found = code(room);

  it("has no two folders that import each other", () => {
    expect(found.length).toBeGreaterThan(0);
    expect(mutualPairs(folderEdges(found))).toEqual([]);
  });

  it("has no two rooms that import each other, each with all the folders below it", () => {
    expect(mutualPairs(roomEdges(found, `${room}/src`))).toEqual([]);
  });

  it("has folders of at most 20 files", () => {
    const large = [...sizes(found)].filter(([folder, count]) => count > most && !plainLists.includes(folder));
    expect(large.map(([folder, count]) => `${count} in ${folder}`)).toEqual([]);
  });

  it("keeps fixtures and fakes in testing/", () => {
    const doubles = found.map(({ path }) => path).filter((path) => /[./-]fixtures?[./]|\/fake/.test(path));
    expect(doubles).toEqual([]);
  });
});

describe.each(Object.entries(order))("the folders of %s", (room, folders) => {
  const place = (folder: string): number => folders.indexOf(folder.slice(`${room}/src`.length + 1) || ".");
  const found = code(room).filter(({ path }) => path.startsWith(`${room}/src/`));

  it("are all in the table, and the table names no others", () => {
    const known = [...sizes(found).keys()].map((folder) => folder.slice(`${room}/src`.length + 1) || ".");
    expect(known.toSorted()).toEqual(folders.toSorted());
  });

  it("import only from the outside in", () => {
    const wrong = folderEdges(found).filter(({ from, to }) => place(from) > place(to));
    expect(wrong.map(({ because }) => because)).toEqual([]);
  });
});

describe("the check", () => {
  const file = (path: string, ...imports: readonly string[]): Source => ({ path, text: "", imports });

  it("sees two folders that import each other, parent and child too", () => {
    const ring = [file("p/a/x.ts", "../b/y.ts"), file("p/b/y.ts", "../a/z.ts"), file("p/a/z.ts")];
    expect(mutualPairs(folderEdges(ring))).toEqual(["p/a and p/b: p/a/x.ts -> p/b/y.ts, p/b/y.ts -> p/a/z.ts"]);
    const nested = [file("p/x.ts", "./a/y.ts"), file("p/a/y.ts", "../z.ts"), file("p/z.ts")];
    expect(mutualPairs(folderEdges(nested))).toHaveLength(1);
    expect(mutualPairs(folderEdges([file("p/x.ts", "./a/y.ts"), file("p/a/y.ts")]))).toEqual([]);
  });

  it("sees two rooms that import each other through different folders", () => {
    const ring = [file("p/a/x.ts", "../b/y.ts"), file("p/b/y.ts"), file("p/b/c/z.ts", "../../a/x.ts")];
    expect(mutualPairs(folderEdges(ring))).toEqual([]);
    expect(mutualPairs(roomEdges(ring, "p"))).toHaveLength(1);
  });
});
