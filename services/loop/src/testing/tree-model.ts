/**
 * Sessions that own their working tree, against a model of it: an agent that appends to files, a person who edits and stages beside it, and
 * a server that goes away in between. A count for each tier.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { DirectClient } from "../direct-client.ts";
import { type Repository, temporaryRepository } from "./repository.ts";
import { sampleProposal } from "./sample.ts";

/** What happens around one ticket. */
interface Round {
  /** The person edits the ticket's own file before it is taken. */
  readonly shared: boolean;
  /** The person edits a file of their own before, and while the agent works; 0 is none. */
  readonly before: number;
  readonly meanwhile: number;
  readonly staged: boolean;
  readonly outcome: "done" | "failed" | "nothing";
  /** The client is closed and opened again before the end of the ticket. */
  readonly restart: boolean;
}

const round: fc.Arbitrary<Round> = fc.record({
  shared: fc.boolean(),
  before: fc.nat({ max: 2 }),
  meanwhile: fc.nat({ max: 2 }),
  staged: fc.boolean(),
  outcome: fc.constantFrom("done", "done", "failed", "nothing"),
  restart: fc.boolean(),
});

const titles = ["Close the file", "Sort the shelf", "Paint the door"];
const titleFile = (title: string): string => `src/${title.toLowerCase().replaceAll(" ", "-")}.ts`;

const open = (repository: Repository): Promise<DirectClient> => DirectClient.create({ projectPath: repository.path });

class Model {
  readonly repository: Repository;
  /** What the person has written, by file. */
  readonly texts = new Map<string, string>();
  readonly staged = new Set<string>();
  client: DirectClient;

  constructor(repository: Repository, client: DirectClient) {
    this.repository = repository;
    this.client = client;
  }

  read(file: string): string {
    return readFileSync(join(this.repository.path, file), "utf8");
  }

  append(file: string, text: string): void {
    appendFileSync(join(this.repository.path, file), text);
  }

  edit(file: string, text: string, staged: boolean): void {
    this.append(file, text);
    this.texts.set(file, text);
    if (!staged) return;
    this.repository.git("add", "--", file);
    this.staged.add(file);
  }

  async report(type: Parameters<DirectClient["ingestEvent"]>[0], payload: Readonly<Record<string, unknown>>) {
    return this.client.ingestEvent(type, payload);
  }

  /** Nothing of the person's is lost, committed or unstaged. */
  check(): void {
    for (const [file, text] of this.texts) expect(this.read(file), file).toContain(text);
    const committed = this.repository.git("log", "--format=", "--name-only", "main").split("\n");
    expect(committed.filter((file) => file.startsWith("own/"))).toEqual(["own/1.txt", "own/2.txt"]);
    const staged = this.repository
      .git("diff", "--cached", "--name-only")
      .split("\n")
      .filter((name) => name !== "");
    expect(staged.toSorted()).toEqual([...this.staged].toSorted());
    expect(this.repository.git("branch", "--show-current").trim()).toBe("main");
  }
}

const play = async (model: Model, next: Round, number: number): Promise<void> => {
  const { repository } = model;
  const { prompt } = await planPrompt(model);
  const title = titles.find((one) => prompt.includes(one)) ?? "";
  const file = titleFile(title);
  const mark = `done by the agent ${number}\n`;
  await model.report("PLAN_SUBMITTED", { files: [file], risk_level: "low" });
  if (next.meanwhile > 0) model.edit(`own/${next.meanwhile}.txt`, `meanwhile ${number}\n`, next.staged);
  if (next.outcome !== "nothing") model.append(file, mark);
  if (next.restart) {
    await model.client.close();
    model.client = await open(repository);
  }
  const result = await model.report("TICKET_RESULT", {
    status: next.outcome === "failed" ? "failed" : "done",
    changed_files: [file],
  });
  if (result.processed && next.outcome !== "failed") {
    await model.report("QA_COMMAND_RESULT", { command: "npm test", success: true, output: "ok" });
    await model.report("QA_PASSED", {});
  } else if (!result.processed) await model.report("TICKET_RESULT", { status: "failed", changed_files: [file] });
  const finished = result.processed && next.outcome === "done";
  model.check();
  if (next.outcome === "nothing") return;
  const shared = model.texts.has(file);
  expect(model.read(file).includes(mark)).toBe(shared || finished);
  expect(repository.git("show", `main:${file}`).includes(mark)).toBe(finished && !shared);
  if (shared || !finished) {
    const branches = repository
      .git("branch", "--list", "--format=%(refname)", "promptwheel/parked/*")
      .trim()
      .split("\n");
    expect(branches.some((branch) => repository.git("show", `${branch}:${file}`).includes(mark))).toBe(true);
  }
};

/** Takes the next ticket and gives its plan prompt. */
const planPrompt = async ({ client }: Model): Promise<{ readonly prompt: string }> => {
  const { prompt, phase } = await client.advance();
  expect(phase).toBe("PLAN");
  return { prompt: prompt ?? "" };
};

/** The property over so many sessions of three tickets. */
export const testWorkingTree = (sessions: number) =>
  it(`no edit of a person's is lost or committed, and each ticket has its end: ${sessions} sessions`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(round, round, round), async (rounds) => {
        const start = Object.fromEntries(
          ["own/1.txt", "own/2.txt", ...titles.map(titleFile)].map((f) => [f, "first\n"]),
        );
        const repository = temporaryRepository(start);
        const model = new Model(repository, await open(repository));
        try {
          for (const [number, { shared, before, staged }] of rounds.entries()) {
            if (before > 0) model.edit(`own/${before}.txt`, `before ${number}\n`, staged);
            if (shared) model.edit(titleFile(titles[number] ?? ""), `a person's ${number}\n`, false);
          }
          model.client.startSession({ own_tree: true });
          await model.client.advance();
          const proposals = titles.map((title) => sampleProposal(title));
          await model.report("SCOUT_OUTPUT", { proposals });
          for (const [number, next] of rounds.entries()) await play(model, next, number);
          const { work } = await model.client.endSession();
          expect(work).toHaveLength(rounds.length);
          model.check();
          expect(repository.git("fsck", "--strict", "--no-dangling")).toBe("");
        } finally {
          await model.client.close();
          repository.remove();
        }
      }),
      { numRuns: sessions },
    );
  });
