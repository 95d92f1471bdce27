/** Long work by the command line and by HTTP, of a kernel in this process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, confirm, defineContract, mutation } from "@fairlead/contracts";
import { type Kernel, openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { promptAnswer } from "../src/run/answer-prompt.ts";
import { runHere } from "./in-process.ts";

const attic = defineContract({
  id: "attic",
  version: "1.0.0",
  summary: "An attic.",
  procedures: {
    clear: mutation({
      summary: "Clears it.",
      retry: "idempotent",
      input: z.object({ box: z.string() }),
      output: z.object({ cleared: z.boolean(), box: z.string() }),
      run: { onRestart: "resume" },
      questions: { sure: confirm({ when: "always" }) },
    }),
    store: mutation({
      summary: "Stores it.",
      retry: "unsafe",
      input: z.object({ text: z.string() }),
      output: z.object({ length: z.int() }),
      policy: { limits: { bytes: 3_000_000, string: 3_000_000 } },
      run: {},
    }),
    fill: mutation({
      summary: "Fills it.",
      retry: "unsafe",
      input: z.object({}),
      output: z.object({ boxes: z.int() }),
      run: {},
      questions: { boxes: ask({ when: "always", answer: z.object({ boxes: z.int().min(1) }) }) },
    }),
  },
});

const service = defineService(attic, () => ({
  handlers: {
    clear: async ({ box }, call) => {
      call.log(`looks at ${box}`);
      call.progress({ progress: 1, total: 4, message: "looking" });
      return { cleared: await call.question("sure", `Clear ${box}?`), box };
    },
    store: ({ text }) => ({ length: text.length }),
    fill: async (_, call) => call.question("boxes", "How many?"),
  },
}));

let folder: string;
let kernel: Kernel;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-cli-runs-"));
  kernel = await openKernel({
    config: { stateDir: join(folder, "state"), port: 0, lagMs: 60_000, log: { level: "error" } },
    services: [service],
    env: {},
  });
  ({ http: url } = await kernel.serve());
  url = url.replace(/\/api$/, "");
});
afterAll(async () => {
  await kernel.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (...args: readonly string[]) => runHere([...args, "--url", url], { cwd: folder });
const json = async (...args: readonly string[]) => {
  const { code, out, err } = await run(...args, "--json");
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
};
/** Resolves once the run is in that state. */
const until = async (id: string, state: string): Promise<void> => {
  const opened = await kernel.connect().subscribe("kernel.watchRun", { id });
  if (!opened.ok) throw new Error(opened.error.message);
  for await (const { value } of opened.items) if ((value as { readonly state: string }).state === state) return;
};

describe("the command line", () => {
  it("starts, lists, shows, answers and follows a run", async () => {
    const started = await run("call", "attic.clear", "-d", '{"box":"red"}', "--start");
    const id = started.out.trim();
    expect(started).toMatchObject({ code: 0, err: expect.stringContaining(`fairlead runs watch ${id}`) });
    await until(id, "waiting");
    expect((await run("runs", "ls", "--state", "waiting")).out).toMatch(
      new RegExp(`^ID +PROCEDURE +STATE +PROGRESS +BY +STARTED\n${id} +attic\\.clear +waiting +25 % looking +`),
    );
    expect((await run("runs", "show", id)).out).toMatch(/question +Clear red\? \(sure-1\)[\s\S]*looks at red/);
    expect(await run("runs", "answer", id)).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    // A form is none for yes or no, whatever it says.
    expect(await run("runs", "answer", id, "-d", '{"yes":false}')).toMatchObject({ code: 7 });
    expect(await run("runs", "answer", id, "--yes")).toMatchObject({ code: 0 });
    const followed = await run("runs", "watch", id);
    expect(followed).toMatchObject({ code: 0, err: expect.stringContaining("looks at red\n") });
    expect(JSON.parse(followed.out)).toEqual({ cleared: true, box: "red" });
    expect(await run("runs", "answer", id, "--yes")).toMatchObject({
      code: 8,
      err: expect.stringMatching(/has ended already: it is done[\s\S]*"reason":"over"/),
    });
  });

  it("does not wait for an answer that --no-input rules out", async () => {
    const { run: started } = await json("call", "attic.clear", "-d", '{"box":"grey"}', "--start");
    await until(started.id, "waiting");
    expect(await run("runs", "watch", started.id, "--no-input")).toMatchObject({
      code: 5,
      err: expect.stringMatching(/waits for an answer[\s\S]*Clear grey\?[\s\S]*runs answer/),
    });
    expect(await run("runs", "cancel", started.id)).toMatchObject({ code: 0 });
  });

  it("takes the beginning of an id that no other run has", async () => {
    const { run: started } = await json("call", "attic.clear", "-d", '{"box":"blue"}', "--start");
    const shown = await run("runs", "show", started.id.slice(0, 12));
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining(started.id) });
    // Every id begins with it.
    expect(await run("runs", "cancel", "")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/runs have an id that begins with[\s\S]*give more of it/),
    });
    expect(await run("runs", "cancel", started.id.slice(0, 12))).toMatchObject({ code: 0 });
    expect(await run("runs", "show", "no-run")).toMatchObject({ code: 5 });
  });

  it("cancels a run and queues it again", async () => {
    const { run: started } = await json("call", "attic.fill", "--start", "--idempotency-key", "one");
    expect((await json("call", "attic.fill", "--start", "--idempotency-key", "one")).run.id).toBe(started.id);
    await until(started.id, "waiting");
    expect(await run("runs", "answer", started.id, "-d", '{"boxes":0}')).toMatchObject({ code: 7 });
    expect(await run("runs", "cancel", started.id)).toMatchObject({ code: 0 });
    expect(await run("runs", "watch", started.id)).toMatchObject({ code: 1, err: expect.stringContaining("resume") });
    expect(await run("runs", "resume", started.id)).toMatchObject({ code: 0 });
    await until(started.id, "waiting");
    expect((await json("runs", "answer", started.id, "-d", '{"boxes":3}')).run.question).toBeNull();
    await until(started.id, "done");
    expect((await json("runs", "show", started.id)).run.output).toEqual({ boxes: 3 });
    expect(await run("runs", "show", "none")).toMatchObject({ code: 5 });
  });

  it("asks a person at the terminal", async () => {
    const typed = ["yes", "", "7", "n"];
    const prompts: string[] = [];
    const prompt = async (text: string): Promise<string> => {
      prompts.push(text);
      return typed.shift() ?? "";
    };
    const question = { id: "a-1", name: "a", message: "Sure?", schema: {} };
    expect(await promptAnswer({ ...question, kind: "confirm" }, prompt)).toEqual({ action: "accept" });
    expect(await promptAnswer({ ...question, kind: "confirm" }, prompt)).toEqual({ action: "decline" });
    const schema = { properties: { boxes: { type: "integer" }, all: { type: "boolean" } }, required: ["boxes"] };
    expect(await promptAnswer({ ...question, kind: "form", schema }, prompt)).toEqual({
      action: "accept",
      content: { boxes: 7, all: false },
    });
    expect(prompts).toEqual(["Sure? [y/N] ", "Sure? [y/N] ", "Sure? boxes: ", "Sure? all: "]);
  });
});

describe("HTTP", () => {
  const post = (path: string, body: object, prefer = "respond-async"): Promise<Response> =>
    fetch(`${url}/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer },
      body: JSON.stringify(body),
    });

  it("answers `Prefer: respond-async` with a run and its address", async () => {
    const response = await post("attic/clear", { box: "blue" }, "wait=1, respond-async");
    expect(response.status).toBe(202);
    expect(response.headers.get("preference-applied")).toBe("respond-async");
    const { id } = (await response.json()) as { readonly id: string };
    await until(id, "waiting");
    const shown = await fetch(new URL(response.headers.get("location") ?? "", url));
    expect(await shown.json()).toMatchObject({ id, state: "waiting", question: { id: "sure-1", kind: "confirm" } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post("kernel/answerRun", { id, question: "sure-1", action: "accept" })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    await until(id, "done");
  });

  it("starts what is as large as its procedure allows, and nothing larger", async () => {
    const response = await post("attic/store", { text: "x".repeat(2_000_000) });
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { readonly id: string };
    await until(id, "done");
    const shown = await fetch(`${url}/api/kernel/getRun?id=${id}`);
    expect(await shown.json()).toMatchObject({ output: { length: 2_000_000 } });
    expect((await post("attic/store", { text: "x".repeat(3_000_000) })).status).toBe(413);
  });

  it("refuses at once what a call would be refused for, and a caller that waits and cannot be asked", async () => {
    expect((await post("attic/clear", {})).status).toBe(400);
    const response = await post("attic/clear", { box: "x" }, "wait=1");
    expect(response.status).toBe(412);
    expect(await response.json()).toMatchObject({
      code: "failed_precondition",
      hint: expect.stringContaining("Prefer"),
    });
  });
});
