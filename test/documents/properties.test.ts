/** Every numbered property of docs/connections.md names a test file, and a test of that file has the property's number in its title. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));

interface Property {
  readonly number: number;
  readonly tests: readonly string[];
}

const readProperties = (page: string): readonly Property[] =>
  page.split("\n").flatMap((line) => {
    const number = /^\| (\d+) \|/.exec(line)?.[1];
    if (number === undefined) return [];
    return [
      {
        number: Number(number),
        tests: [...line.matchAll(/`([^`\s]+\/[^`\s]+\.test\.ts)`/g)].map(([, path = ""]) => path),
      },
    ];
  });

const hasTitle = (text: string, number: number): boolean => text.includes(`(property ${number})"`);

const properties = readProperties(readFileSync(join(repository, "docs/connections.md"), "utf8"));

it("there are fifteen", () => {
  expect(properties.map(({ number }) => number)).toEqual(Array.from({ length: 15 }, (_, at) => at + 1));
});

it("every test file that a property names is there, and one of them has its number", () => {
  const paths = properties.flatMap(({ tests }) => tests);
  expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  const without = properties.filter(
    ({ number, tests }) => !tests.some((path) => hasTitle(readFileSync(join(repository, path), "utf8"), number)),
  );
  expect(without).toEqual([]);
});
