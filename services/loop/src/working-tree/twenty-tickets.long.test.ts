/** A session of twenty tickets with failures, restarts and a person's edits in between: its `git log` is the story of what was done. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DirectClient } from "../direct-client.ts";
import { temporaryRepository } from "../testing/repository.ts";
import { sampleProposal } from "../testing/sample.ts";

const nouns = ["parser", "socket", "kernel", "ledger", "vacuum", "quartz", "zephyr", "goblin", "hammer", "window"];
const titles = ["Mend", "Speed up"].flatMap((verb) => nouns.map((noun) => `${verb} the ${noun}`));
const titleFile = (title: string): string => `src/${title.toLowerCase().replaceAll(" ", "-")}.ts`;

it("leaves one commit for each ticket that is done, in order, and everything else as it was", async () => {
  const repository = temporaryRepository({ "notes.txt": "first\n" });
  onTestFinished(() => repository.remove());
  const { path, git } = repository;
  let client = await DirectClient.create({ projectPath: path });
  const report = (type: Parameters<DirectClient["ingestEvent"]>[0], payload: Readonly<Record<string, unknown>>) =>
    client.ingestEvent(type, payload);
  client.startSession({ own_tree: true, max_proposals: 20 });
  await client.advance();
  await report("SCOUT_OUTPUT", { proposals: titles.map((title) => sampleProposal(title, { severity: "blocking" })) });
  const done: string[] = [];
  for (let number = 0; number < titles.length; number += 1) {
    if (number % 4 === 1) repository.write("notes.txt", `a person's ${number}\n`);
    const { prompt } = await client.advance();
    const title = titles.find((one) => prompt?.includes(`: ${one}\n`)) ?? "";
    const file = titleFile(title);
    await report("PLAN_SUBMITTED", { files: [file], risk_level: "low" });
    repository.write(file, `${title}\n`);
    if (number % 5 === 2) {
      await client.close();
      client = await DirectClient.create({ projectPath: path });
    }
    const fails = number % 3 === 2;
    await report("TICKET_RESULT", { status: fails ? "failed" : "done", changed_files: [file] });
    if (fails) continue;
    await report("QA_COMMAND_RESULT", { command: "npm test", success: true, output: "ok" });
    await report("QA_PASSED", {});
    done.push(title);
    expect(git("show", `HEAD:${file}`)).toBe(`${title}\n`);
  }
  const { work, tickets_completed, tickets_failed } = await client.endSession();
  await client.close();
  expect([tickets_completed, tickets_failed]).toEqual([14, 6]);
  expect(work.map(({ tree }) => tree).toSorted()).toEqual([
    ...Array.from({ length: 14 }, () => "commit"),
    ...Array.from({ length: 6 }, () => "parked"),
  ]);
  expect(git("log", "--reverse", "--format=%s").trim().split("\n")).toEqual(["Begin", ...done]);
  expect(git("branch", "--list", "promptwheel/parked/*").trim().split("\n")).toHaveLength(6);
  expect(git("status", "--porcelain").trim()).toBe("M notes.txt");
  expect(readFileSync(join(path, "notes.txt"), "utf8")).toBe("a person's 17\n");
  expect(git("fsck", "--strict", "--no-dangling")).toBe("");
});
