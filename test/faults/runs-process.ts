/**
 * A kernel process with long work, to be killed in the middle: runs that are resumed, runs that may not be, questions that are answered, and
 * jobs from an outbox, of which some transactions are rolled back. Writes what happens to `log` in its folder, and each line to stdout as well; ends
 * by itself when all of it is over. `node runs-process.ts <state folder>`
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { confirm, defineContract, mutation } from "@fairlead/contracts";
import { openOutbox } from "@fairlead/kernel/jobs";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { defineService } from "@fairlead/kernel/service";
import Database from "better-sqlite3";
import * as z from "zod";

const [, , folder = ""] = process.argv;
const say = (text: string): void => {
  appendFileSync(join(folder, "log"), `${text}\n`);
  process.stdout.write(`${text}\n`);
};

const input = z.object({ n: z.int() });
const output = z.object({ n: z.int() });
const work = defineContract({
  id: "work",
  version: "1.0.0",
  summary: "Works.",
  procedures: {
    steps: mutation({
      summary: "Is resumed.",
      retry: "idempotent",
      input,
      output,
      run: { onRestart: "resume" },
      questions: { go: confirm({ when: "always" }) },
    }),
    once: mutation({ summary: "May not be repeated.", retry: "unsafe", input, output, run: {} }),
    job: mutation({ summary: "Is about a row.", retry: "idempotent", input, output, run: { onRestart: "resume" } }),
  },
});

/** How many of each there are in the end. */
const count = 12;

const turns = async (): Promise<void> => {
  for (let at = 0; at < 20; at += 1) await new Promise((resolve) => setImmediate(resolve));
};

const service = defineService(work, (host) => {
  const database = new Database(join(folder, "work.sqlite"));
  database.pragma("journal_mode = WAL");
  database.exec("CREATE TABLE IF NOT EXISTS rows (n INTEGER PRIMARY KEY) STRICT");
  const outbox = openOutbox(work, { host, database });
  const known = Number(database.prepare("SELECT coalesce(max(n), 0) FROM rows").pluck().get());
  const add = database.transaction((n: number, fails: boolean) => {
    outbox.enqueue("job", { n });
    if (fails) throw new Error("rolled back");
    database.prepare("INSERT INTO rows (n) VALUES (?)").run(n);
  });
  const adding = (async () => {
    for (let n = known + 1; n <= count; n += 1) {
      try {
        add(-n, true);
      } catch {
        say(`rolled back ${n}`);
      }
      add(n, false);
      say(`row ${n}`);
      await turns();
    }
  })();
  return {
    handlers: {
      steps: async ({ n }, call) => {
        say(`begin steps ${n}`);
        await turns();
        const isYes = await call.question("go", "Go on?");
        await turns();
        if (isYes) say(`end steps ${n}`);
        return { n };
      },
      once: async ({ n }) => {
        say(`begin once ${n}`);
        await turns();
        say(`end once ${n}`);
        return { n };
      },
      job: async ({ n }) => {
        await turns();
        say(`job ${n}`);
        return { n };
      },
    },
    stop: async () => {
      await adding;
      await outbox.close();
      database.close();
    },
  };
});

interface RunView {
  readonly id: string;
  readonly procedure: string;
  readonly state: string;
  readonly question: { readonly id: string } | null;
  readonly output: { readonly n: number } | null;
}

const kernel = openMemoryKernel([service], { stateDir: join(folder, "state") });
const called = async (name: string, input: object): Promise<unknown> => {
  const reply = await kernel.call(`kernel.${name}`, input);
  if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
  return reply.value;
};

/** Follows one run to its end, and answers what it asks. */
const follow = async (id: string, n: number): Promise<void> => {
  const opened = await kernel.subscribe("kernel.watchRun", { id });
  if (!opened.ok) throw new Error(opened.error.message);
  let asked: string | undefined;
  for await (const { value } of opened.items) {
    const { state, question } = value as RunView;
    if (state !== "waiting" || question === null || question.id === asked) continue;
    asked = question.id;
    await called("answerRun", { id, question: question.id, action: "accept" });
    say(`answered ${n}`);
  }
};

const started = ["steps", "once"].flatMap((procedure) =>
  Array.from({ length: count }, async (_, at) => {
    const n = at + 1;
    const request = { procedure: `work.${procedure}`, input: { n }, key: `${procedure} ${n}` };
    const { run } = (await called("startRun", request)) as { readonly run: RunView };
    say(`started ${procedure} ${n}`);
    await follow(run.id, n);
  }),
);
await Promise.all(started);

/** The jobs are over when there is one for each row, and none is at work. */
const jobs = async (): Promise<readonly RunView[]> =>
  ((await called("listRuns", { procedure: "work.job", pageSize: 200 })) as { readonly items: readonly RunView[] })
    .items;
const isOver = async (): Promise<boolean> => {
  const all = await jobs();
  return all.length >= count && all.every(({ state }) => state === "done");
};
const changes = await kernel.subscribe("kernel.events", { types: ["run.state"], after: 0 });
if (!changes.ok) throw new Error(changes.error.message);
if (!(await isOver())) for await (const _ of changes.items) if (await isOver()) break;

const listed = (await called("listRuns", { pageSize: 200 })) as { readonly items: readonly RunView[] };
const items = await Promise.all(listed.items.map(({ id }) => called("getRun", { id }) as Promise<RunView>));
say(`over ${JSON.stringify(items.map(({ procedure, state, output }) => [procedure, state, output?.n ?? null]))}`);
await kernel.close();
