/** The contract's names, the table of the service and the tables of the documents are the same. */
import { readFileSync } from "node:fs";
import { curatedStatNames, noticeKinds } from "@fairlead/contracts/pob";
import { expect, test } from "vitest";
import { statTable } from "./stat-table.ts";

test("the contract's enum has the names of the table, in its order", () => {
  expect(statTable.map(({ name }) => name)).toEqual([...curatedStatNames]);
});

test("docs/pob.md has a row for each", () => {
  const page = readFileSync(new URL("../../../../docs/pob.md", import.meta.url), "utf8");
  const rows = statTable.map(
    (row) => `| \`${row.name}\` | ${row.label} | ${row.unit} | ${row.better} | ${row.group} |`,
  );
  const stats = page.slice(page.indexOf("## Stats"), page.indexOf("## Notices"));
  expect(stats.split("\n").filter((line) => line.startsWith("| `"))).toEqual(rows);
});

test("docs/pob.md has a row for each kind of notice", () => {
  const page = readFileSync(new URL("../../../../docs/pob.md", import.meta.url), "utf8");
  const notices = page.slice(page.indexOf("## Notices"), page.indexOf("## Sessions and processes"));
  expect([...notices.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind)).toEqual([...noticeKinds]);
});
