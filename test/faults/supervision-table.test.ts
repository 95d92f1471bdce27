/** `docs/supervision.md` is written from the cases: what the trusted ones do, what we do, and whether we did before. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { heldBefore } from "./supervision-cases/before.ts";
import type { SupervisionCase } from "./supervision-cases/case.ts";
import { supervisionCases } from "./supervision-cases/table.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

const before = ({ name }: SupervisionCase): string => (heldBefore.has(name) ? "held" : "failed");

const rows = (cases: readonly SupervisionCase[]): string =>
  cases.map((one) => `| ${[one.name, one.trusted, one.ours, before(one)].map(cell).join(" | ")} |`).join("\n");

const all = supervisionCases.flatMap(([, cases]) => cases);

const text = `# Supervision, case by case

Written by \`test/faults/supervision-table.test.ts\` from the cases in \`test/faults/supervision-cases\`, which \`supervision.test.ts\` plays: each row is a
test of that name. The last column says
whether the case held in the commit before its part was built (\`supervision-cases/before.ts\` says which commits). A case that failed there may have failed because what it
asks for did not exist. ${all.length} cases; ${all.filter((one) => before(one) === "failed").length} of them failed before.

${supervisionCases
  .map(
    ([title, cases]) =>
      `## ${title.replace(/^./, (first) => first.toUpperCase())}\n\n| Case | What others do | What we do | Before |\n|---|---|---|---|\n${rows(cases)}\n`,
  )
  .join("\n")}`;

it("docs/supervision.md says what the cases say", async () => {
  await expect(text).toMatchFileSnapshot(fileURLToPath(new URL("../../docs/supervision.md", import.meta.url)));
});

it("no two cases have one name, and what held before is a case", () => {
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect([...heldBefore].filter((name) => !names.includes(name))).toEqual([]);
});
