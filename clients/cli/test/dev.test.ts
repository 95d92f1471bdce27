/** `fairlead dev` as a process: what is saved runs, and all else lives on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevEvent, type DevProcess, devProject, startDev, texts } from "./dev-project.ts";
import { runHere } from "./in-process.ts";
import type { OutsideProject } from "./outside-project.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let project: OutsideProject;
let dev: DevProcess;

beforeAll(async () => {
  project = await devProject();
  dev = await startDev(project);
});
afterAll(async () => {
  dev.process.child.kill("SIGKILL");
  await dev.process.ended;
  project.remove();
});

interface Said {
  readonly text: string;
  readonly calls: number;
}
const say = async (id: string): Promise<Said> => (await fetch(`${dev.url()}/api/${id}/say`)).json() as Promise<Said>;
const untilSaid = (id: string, text: string): Promise<void> => expect.poll(async () => (await say(id)).text).toBe(text);

/** Saves, and waits for an event that fits: others may be about what was saved before. */
const save = (path: string, text: string, fits: (event: DevEvent) => boolean): Promise<DevEvent> => {
  const from = dev.events.length;
  project.write(path, text);
  return dev.event(fits, from);
};
const reloads =
  (...services: readonly string[]) =>
  (event: DevEvent): boolean =>
    JSON.stringify(event.services) === JSON.stringify(services.map((service) => ({ service })));
/** A report of one service that keeps what it had. */
const keeps =
  (message: RegExp) =>
  ({ event, services }: DevEvent): boolean =>
    event === "reloaded" && message.test(JSON.stringify(services));

const restored = async (): Promise<void> => {
  project.write("services/left/service.ts", texts.service("left"));
  // Two saves may be two reloads: the text of its own shows that both are in.
  for (const text of ["left again", "left"]) {
    project.write("services/left/three.ts", `export const text = "${text}";\n`);
    await untilSaid("left", text);
  }
};

test("a file three imports deep restarts its service alone", async () => {
  const { calls } = await say("right");
  await save("services/left/three.ts", 'export const text = "new left";\n', reloads("left"));
  await untilSaid("left", "new left");
  expect((await say("right")).calls).toBe(calls + 1);
  await restored();
});

test("a file that two services share restarts both", async () => {
  await save("services/shared.ts", 'export const shared = "!";\n', reloads("left", "right"));
  await untilSaid("left", "left!");
  await untilSaid("right", "right!");
  await save("services/shared.ts", 'export const shared = "";\n', reloads("left", "right"));
  await untilSaid("left", "left");
  await untilSaid("right", "right");
});

test("a syntax error, a missing import and a start that fails leave the last good version", async () => {
  const failed = keeps(/"service":"left","error":{"code":"failed_precondition"/);
  for (const broken of ["export const text = ;\n", 'export { text } from "./four.ts";\n', 'throw new Error("no");\n']) {
    await save("services/left/three.ts", broken, failed);
    expect((await say("left")).text).toBe("left");
  }
  await restored();
  const failing = texts.service("left").replace("let calls = 0;", 'throw new Error("cannot start");');
  for (const start of [failing, failing.replace("(left, () =>", "(left, async () =>")]) {
    await save("services/left/service.ts", start, keeps(/cannot start/));
    expect((await say("left")).text).toBe("left");
  }
  await restored();
});

if (inLongTier) {
  test("a setting that the new code wants and the configuration lacks is reported, and the last good version runs on", async () => {
    const configured = texts
      .service("left")
      .replace("import { text }", 'import * as z from "zod";\nimport { text }')
      .replace(/\}\);\n$/, "}, { config: z.object({ name: z.string() }) });\n");
    await save("services/left/service.ts", configured, keeps(/services\.left\.name/));
    expect((await say("left")).text).toBe("left");
    await restored();
  });

  test("a file that was missing is taken up when it comes", async () => {
    await save("services/left/three.ts", 'export { text } from "./four.ts";\n', keeps(/four/));
    project.write("services/left/four.ts", 'export const text = "four";\n');
    await untilSaid("left", "four");
    await restored();
  });
}

test("a stop that hangs holds nothing up for long", async () => {
  const hanging = texts.service("left", "stop: () => new Promise(() => undefined),");
  project.write("services/left/service.ts", hanging.replace("text + shared", '"hanging " + text'));
  await untilSaid("left", "hanging left");
  project.write("services/left/three.ts", 'export const text = "stopped";\n');
  await untilSaid("left", "hanging stopped");
  await restored();
});

/** The stream of a service. One that is restarted meanwhile answers with an error: it is asked again. */
const openTicks = async (id: string): Promise<Response> => {
  const response = await fetch(`${dev.url()}/api/${id}/ticks`);
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  await response.text();
  return openTicks(id);
};

test("its own streams end with an error that says to try again", async () => {
  const streams = await Promise.all(["left", "right"].map(openTicks));
  const [left, right] = streams.map(({ body }) => body?.pipeThrough(new TextDecoderStream()).getReader());
  expect((await right?.read())?.value).toContain('"tick":1');
  project.write("services/left/three.ts", 'export const text = "again";\n');
  let text = "";
  for (let piece = await left?.read(); piece?.done === false; piece = await left?.read()) text += piece.value;
  expect(text).toMatch(/event: error\n.*data: .*"code":"unavailable".*"retryable":true/s);
  const rest = right?.read();
  await untilSaid("left", "again");
  expect(await Promise.race([rest, Promise.resolve("open")])).toBe("open");
  await right?.cancel();
  await restored();
});

test("the contract: documents, tools and sessions follow", async () => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const rpc = (method: string, params: object, more: Readonly<Record<string, string>> = {}) =>
    fetch(`${dev.url()}/mcp`, {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify({
        jsonrpc: "2.0",
        ...(method.startsWith("notifications/") ? {} : { id: 1 }),
        method,
        params,
      }),
    });
  const clientInfo = { name: "test", version: "1" };
  const opened = await rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const session = {
    "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  await rpc("notifications/initialized", {}, session);
  const listed = async (): Promise<string> => (await rpc("tools/list", {}, session)).text();
  expect(await listed()).not.toContain("Counts to seven");
  const notices = await fetch(`${dev.url()}/mcp`, { headers: { ...session, accept: "text/event-stream" } });
  const noticed = (async () => {
    for await (const piece of notices.body?.pipeThrough(new TextDecoderStream()) ?? [])
      if (piece.includes("notifications/tools/list_changed")) return true;
    return false;
  })();

  const seven =
    'seven: query({ summary: "Counts to seven.", input: z.object({}), output: z.object({ n: z.int().describe("Seven.") }) }),';
  project.write("contracts/left.contract.ts", texts.contract("left", seven));
  // The contract alone is not a service: what ran before runs on.
  await dev.event(keeps(/no handler for seven/), dev.events.length);
  expect((await say("left")).text).toBe("left");
  expect(await (await fetch(`${dev.url()}/openapi.json`)).text()).not.toContain("Counts to seven");
  project.write("services/left/service.ts", texts.service("left").replace("say:", "seven: () => ({ n: 7 }), say:"));
  await expect.poll(async () => (await fetch(`${dev.url()}/api/left/seven`)).status).toBe(200);

  expect(await noticed).toBe(true);
  expect(await listed()).toContain("Counts to seven");
  expect(await (await fetch(`${dev.url()}/openapi.json`)).text()).toContain("Counts to seven");
  expect(await (await fetch(`${dev.url()}/schema/left/seven.json`)).text()).toContain("Seven.");
  const trpc = await fetch(`${dev.url()}/trpc/left.seven?input=${encodeURIComponent("{}")}`);
  expect(await trpc.json()).toMatchObject({ result: { data: { n: 7 } } });

  project.write("contracts/left.contract.ts", "export const left = ;\n");
  await dev.event((each) => each.event === "contracts_refused", dev.events.length);
  expect((await fetch(`${dev.url()}/api/left/seven`)).status).toBe(200);
  project.write("contracts/left.contract.ts", texts.contract("left"));
  await restored();
  await expect.poll(listed).not.toContain("Counts to seven");
});

test("a configuration that is saved and says the same as before restarts nothing", async () => {
  const config = readFileSync(join(project.folder, "fairlead.config.ts"), "utf8");
  const from = dev.events.length;
  project.write("fairlead.config.ts", config.replace("manifest:", "manifets:"));
  await dev.event(({ event }) => event === "configuration_refused", from);
  project.write("fairlead.config.ts", `// Only a comment.\n${config}`);
  project.write("services/left/three.ts", 'export const text = "same";\n');
  await untilSaid("left", "same");
  expect(dev.events.slice(from).filter(({ event }) => event === "replacing_process")).toEqual([]);
  project.write("fairlead.config.ts", config);
  await restored();
});

test("its name is that of the command", async () => {
  const { out } = await runHere(["status"], { cwd: project.folder });
  expect(out).toContain(`\`fairlead dev\` (pid ${dev.process.child.pid})`);
});

if (inLongTier) {
  test("a package that is installed while it runs is found", async () => {
    const manifest = { name: "late", version: "1.0.0", type: "module", exports: "./main.js" };
    await save("services/left/three.ts", 'export { text } from "late";\n', keeps(/Cannot find package 'late'/));
    const from = dev.events.length;
    project.write("services/node_modules/late/main.js", 'export const text = "late";\n');
    project.write("services/node_modules/late/package.json", JSON.stringify(manifest));
    await dev.event(({ event }) => event === "replacing_process", from);
    await dev.event(({ http }) => http !== undefined, from);
    await untilSaid("left", "late");
    await restored();
  });

  test("another process takes its place where it must, on the same port, and stop ends it", async () => {
    const url = dev.url();
    const from = dev.events.length;
    const config = `import { join } from "node:path";
export default { manifest: "./gen/manifest.ts", stateDir: join(import.meta.dirname, "state"), log: { level: "warn" } };
`;
    project.write("fairlead.config.ts", config.replace("log:", "lok:"));
    const { message } = await dev.event((each) => each.event === "configuration_refused", from);
    expect(message).toContain("lok: expected a known field; did you mean log?");
    const again = dev.events.length;
    project.write("fairlead.config.ts", config.replace("log:", "services: { left: { name: 7 } }, log:"));
    const wrong = await dev.event((each) => each.event === "configuration_refused", again);
    expect(wrong.message).toContain("services.left");
    expect((await say("left")).text).toBe("left");
    project.write("fairlead.config.ts", config);
    const { pid } = await dev.event((each) => each.http !== undefined, from);
    expect(pid).toBe(dev.process.child.pid);
    expect(dev.url()).toBe(url);
    expect((await say("left")).calls).toBe(1);
    dev.process.child.kill("SIGTERM");
    expect(await dev.process.ended).toMatchObject({ code: 143 });
  });
}
