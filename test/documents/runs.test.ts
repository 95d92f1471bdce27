/** The code of docs/runs.md is the code of the files beside this one, which runs here as the page says. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { expect, it } from "vitest";
import todo from "./runs/todo.service.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it.each(["todo.contract.ts", "todo.service.ts"])("the page shows %s", (file) => {
  const blocks = read("../../docs/runs.md").split("```ts\n").slice(1);
  const shown = blocks.find((block) => block.startsWith(`// ${file}\n`))?.split("```")[0];
  expect(shown).toBe(`// ${file}\n${read(`./runs/${file}`)}`);
});

interface RunView {
  readonly id: string;
  readonly state: string;
  readonly question: { readonly id: string } | null;
}

it("reminds of a todo, and clears them once a person has said so", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-docs-runs-"));
  const kernel = openMemoryKernel([todo], { stateDir });
  const call = async (procedure: string, input: object): Promise<unknown> => {
    const reply = await kernel.call(procedure, input);
    if (!reply.ok) throw new Error(reply.error.message);
    return reply.value;
  };
  /** Once a run of that procedure is in that state. */
  const until = async (procedure: string, state: string): Promise<unknown> => {
    const changes = await kernel.subscribe("kernel.events", { types: ["run.state"], after: 0 });
    if (!changes.ok) throw new Error(changes.error.message);
    const find = async () => {
      const { items } = (await call("kernel.listRuns", { procedure })) as { readonly items: readonly RunView[] };
      const found = items.find((run) => run.state === state);
      return found && call("kernel.getRun", { id: found.id });
    };
    const now = await find();
    if (now !== undefined) return now;
    for await (const _ of changes.items) {
      const found = await find();
      if (found !== undefined) return found;
    }
    throw new Error("the kernel has ended");
  };
  try {
    expect(await call("todo.add", { text: "water the plants" })).toEqual({ id: 1 });
    expect(await until("todo.remind", "done")).toMatchObject({
      principal: "service:todo",
      key: "remind 1",
      output: { text: "remember: water the plants" },
      log: [{ text: "attempt 1" }],
    });
    await call("kernel.startRun", { procedure: "todo.clear" });
    const { id, question } = (await until("todo.clear", "waiting")) as RunView;
    await call("kernel.answerRun", { id, question: question?.id, action: "accept" });
    expect(await until("todo.clear", "done")).toMatchObject({ output: { deleted: 1 } });
  } finally {
    await kernel.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
});
