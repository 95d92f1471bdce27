import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractFile, temporaryProject } from "../testing/fixture.ts";
import { loadSession } from "./load-session.ts";

test("after so many edits the thread is replaced, and what it holds goes with it", async () => {
  const loud = (edit: number): string =>
    contractFile("sums", {
      body: `import { threadId } from "node:worker_threads"; console.log(threadId); export const edit = ${edit};`,
    });
  using project = temporaryProject({
    "contracts/sums.contract.ts": loud(0),
    "contracts/other.contract.ts": contractFile("other"),
  });
  const contract = (id: string) => ({
    file: join(project.root, `contracts/${id}.contract.ts`),
    source: `contracts/${id}.contract.ts`,
    builtIn: false,
  });
  let printed = "";
  const options = {
    timeoutMs: 240_000,
    proof: { values: 5, file: undefined },
    onOutput: (text: string) => {
      printed += text;
    },
  };
  const session = loadSession(3);
  const problems: unknown[] = [];
  for (let edit = 0; edit < 8; edit += 1) {
    if (edit > 0) {
      writeFileSync(contract("sums").file, loud(edit));
      session.graph.changed(contract("sums").file);
    }
    for (const id of ["sums", "other"]) problems.push(...(await session.load(contract(id), options)).diagnostics);
  }
  await session.close();
  expect(problems).toEqual([]);
  const threads = printed.trim().split("\n");
  // The first load and three edits in one thread, then three in each.
  expect([...new Set(threads)].map((thread) => threads.filter((each) => each === thread).length)).toEqual([4, 3, 1]);
});
