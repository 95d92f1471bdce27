import { expect, it } from "vitest";
import { graphBoost, groupBySector, sectorPath } from "../state/coverage.ts";
import { countImporters, isSource } from "./import-graph.ts";

const sources = [
  { path: "src/core/a.ts", text: 'import { b } from "./b.ts";\n' },
  { path: "src/ui/a.tsx", text: 'import { a } from "../core/a.ts";\nexport * from "../core/b.js";\n' },
  { path: "src/api/a.mjs", text: 'const a = await import("../core/a.ts");\n' },
  { path: "test/all/a.cjs", text: "const a = require('../../src/core/a');\n" },
  { path: "tools/run/a.py", text: "from lib.core.x import y\nimport lib.core\nfrom .near import z\n" },
  { path: "tools/run/near.py", text: "" },
  { path: "lib/core/x.py", text: "x = 1\n" },
];

it("counts the other folders that import a folder", () => {
  expect([...countImporters(sources, sectorPath)]).toEqual([
    ["src/core", 3],
    ["lib/core", 1],
  ]);
  expect(["a.ts", "a.jsx", "a.py", "a.md", "ts"].filter(isSource)).toEqual(["a.ts", "a.jsx", "a.py"]);
});

it("lifts work on what many import: two in a hundred for each, a fifth at most, and a fifth more from three on", () => {
  const files = sources.map(({ path }) => path);
  const sectors = (importers: number) => groupBySector(files, 10, new Map([["src/core", importers]]));
  expect([0, 1, 2, 3, 10, 50].map((importers) => graphBoost(sectors(importers), ["src/core/a.ts"]))).toEqual([
    1, 1.02, 1.04, 1.26, 1.4, 1.4,
  ]);
  expect(graphBoost(sectors(50), ["src/ui/a.tsx", "elsewhere"])).toBe(1);
});

it("is not slowed down by any text", () => {
  const text = "import ".repeat(200_000) + 'from "./'.repeat(50_000) + "\n".repeat(200_000);
  expect(
    countImporters(
      [
        { path: "src/core/a.ts", text },
        { path: "a.py", text },
      ],
      sectorPath,
    ).size,
  ).toBeLessThan(9);
});
