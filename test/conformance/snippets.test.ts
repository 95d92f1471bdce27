/** What `fairlead call --as` prints, executed as it is: each form gives what the call itself gives. */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere } from "../e2e/command-here.ts";
import { python } from "../python/bridge.ts";
import { pythonEnv } from "../python/interpreter.ts";
import { projectFolder, type RunningProject, startProject } from "./kernel.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let project: RunningProject;
beforeAll(async () => {
  project = await startProject();
});
afterAll(() => project.kernel.close());

const run = promisify(execFile);
const conditions = "--conditions=@fairlead/source";

const command = async (args: readonly string[], cwd = projectFolder): Promise<string> => {
  const ended = await runHere([...args, "--url", project.url], { cwd });
  expect(ended.err).toBe("");
  return ended.out;
};

/** The value that a snippet prints, as JSON. */
const executed = {
  curl: async (snippet: string) => (await run("sh", ["-c", snippet])).stdout,
  typescript: async (snippet: string) => {
    const script = snippet.replace("console.log(", "(value => console.log(JSON.stringify(value)))(");
    const args = ["--input-type=module-typescript", conditions, "--no-warnings", "-e", script];
    return (await run(process.execPath, args, { cwd: projectFolder })).stdout;
  },
  python: async (snippet: string) => {
    const script = `import json\ndef show(value): print(json.dumps(value))\n${snippet.replace("print(", "show(")}`;
    return (await run(python ?? "", ["-c", script], { env: pythonEnv(join(projectFolder, "gen")) })).stdout;
  },
  mcp: async (snippet: string) => {
    const client = new Client({ name: "conformance", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${project.url}/mcp`)));
    const { structuredContent } = await client.callTool(JSON.parse(snippet).params);
    await client.close();
    return JSON.stringify(structuredContent);
  },
};

const hard = {
  text: `Ärger \u{1F600} \u2028 "quoted" 'single' $HOME \\ \`x\``,
  tags: ["a", "b"],
  maybe: null,
  chain: { value: 1 },
};

const forms = (["curl", "typescript", "python", "mcp"] as const).filter(
  (form) => form !== "python" || python !== undefined,
);

describe.each(forms.filter((_, at) => inLongTier || at % 2 === 0))("as %s", (form) => {
  test("a call with every kind of value", async () => {
    const args = ["call", "probe.echo", "-d", JSON.stringify(hard)];
    const snippet = await command([...args, "--as", form]);
    expect(JSON.parse(await executed[form](snippet))).toEqual(JSON.parse(await command(args)));
  });
});

test("where the project has no generated client, a call describes its procedure itself", async () => {
  const elsewhere = tmpdir();
  const args = ["call", "probe.echo", "-d", JSON.stringify(hard)];
  const real = JSON.parse(await command(args));
  const typescript = await command([...args, "--as", "typescript"], elsewhere);
  expect(typescript).not.toContain("gen/");
  expect(JSON.parse(await executed.typescript(typescript))).toEqual(real);
  if (python === undefined) return;
  const plain = await command([...args, "--as", "python"], elsewhere);
  expect(plain).toContain("fairlead.Procedure(");
  expect(JSON.parse(await executed.python(plain))).toEqual(real);
});

describe("files", () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-snippets-"));
  const path = join(folder, 'a;b "c" \\ it\'s.txt');
  const bytes = randomBytes(100_000);
  const hash = createHash("sha256").update(bytes).digest("hex");
  beforeAll(() => writeFileSync(path, bytes));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const programs = forms.filter((form) => form !== "mcp");
  const places = [
    ["with the project's clients", projectFolder],
    ["without clients", folder],
  ] as const;

  describe.each(programs.filter((_, at) => inLongTier || at % 2 === 1))("as %s", (form) => {
    test.each(places)("a call that sends one and a call that gets one, %s", async (_, cwd) => {
      const as = `${form};"${cwd.length}"`;
      const sent = [
        "call",
        "probe.keep",
        "-d",
        JSON.stringify({ as }),
        "--file",
        path,
        "--media-type",
        "application/octet-stream",
      ];
      expect(JSON.parse(await executed[form](await command([...sent, "--as", form], cwd)))).toMatchObject({
        bytes: bytes.length,
        digest: hash,
        type: "application/octet-stream",
      });
      const copy = `${path}.${form}`;
      const got = ["call", "probe.kept", "-d", JSON.stringify({ as }), "--out", copy];
      await executed[form](await command([...got, "--as", form], cwd));
      expect(readFileSync(copy).equals(bytes)).toBe(true);
      rmSync(copy);
    });
  });

  test("as mcp the file is named from the root, and what is got comes as a link", async () => {
    const sent = await command(["call", "probe.keep", "-d", '{"as":"x"}', "--file", "cat.png", "--as", "mcp"], folder);
    expect(JSON.parse(sent).params.arguments).toEqual({ as: "x", file: { path: join(folder, "cat.png") } });
    const got = await command(["call", "probe.kept", "-d", '{"as":"x"}', "--as", "mcp"], folder);
    expect(JSON.parse(got).params.arguments).toEqual({ as: "x" });
  });

  test("what has no path, or no file, is refused", async () => {
    const refuse = async (...args: readonly string[]) =>
      runHere(["call", ...args, "--as", "curl", "--url", project.url], { cwd: folder });
    expect(await refuse("probe.keep", "--file", "-")).toMatchObject({
      code: 2,
      err: expect.stringContaining("by its path"),
    });
    expect(await refuse("probe.kept", "--file", "x")).toMatchObject({
      code: 2,
      err: expect.stringContaining("takes no file"),
    });
    expect(await refuse("probe.sum", "--out", "x")).toMatchObject({
      code: 2,
      err: expect.stringContaining("gives no file"),
    });
  });
});

test("the flags of a procedure's own command do as well, and no token is shown", async () => {
  const env = { FAIRLEAD_TOKEN: "a-token-of-sixteen-characters-or-more" };
  const args = ["probe", "sum", "--a", "1", "--as", "curl", "--idempotency-key", "it's", "--url", project.url];
  const { out } = await runHere(args, { cwd: projectFolder, env });
  expect(out).toBe(
    `curl -s ${project.url}/api/probe/sum -H 'content-type: application/json' -H "authorization: Bearer $FAIRLEAD_TOKEN" -H 'idempotency-key: it'\\''s' -d '{"a":1}'\n`,
  );
});

test("a stream is not an MCP tool, and a form that there is not is refused", async () => {
  const ended = await runHere(["call", "kernel.events", "--as", "mcp", "--url", project.url], { cwd: projectFolder });
  expect(ended).toMatchObject({ code: 2, err: expect.stringContaining("kernel.events is not an MCP tool") });
  const unknown = await runHere(["call", "probe.sum", "--as", "ruby", "--url", project.url], { cwd: projectFolder });
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining("--as takes curl, typescript, python, mcp") });
});

test("describe shows the contract's examples, and the first of them in each form", async () => {
  const described = JSON.parse(await command(["describe", "probe.sum", "--json"]));
  expect(described.procedures[0].examples).toEqual([
    { summary: "Both given", input: { a: 1, b: 2 } },
    { summary: "The default", input: { a: 1 } },
  ]);
  expect(Object.keys(described.calls)).toEqual(["curl", "typescript", "python", "mcp"]);
  expect(JSON.parse(await executed.curl(described.calls.curl))).toBe(3);
  const text = await command(["describe", "probe.sum"]);
  expect(text).toContain('Examples:\n  Both given\n      {"a":1,"b":2}\n');
  expect(text).toContain("The call of the first example:\n  curl\n    curl -s http");
});

test("names of the Python client are those that are generated", async () => {
  const generated = readFileSync(join(projectFolder, "gen/probe_clients/kernel.py"), "utf8");
  for (const [, name] of generated.matchAll(/^_\w+: .*fairlead\.Procedure\("kernel\.(\w+)"/gm)) {
    const snippet = await command(["call", `kernel.${name}`, "--as", "python"]);
    const method = /Kernel\(client\)\.(\w+)\(/.exec(snippet)?.[1];
    expect(generated).toContain(`    def ${method}(`);
  }
});
