/** A file sent and fetched by each client and the command line, against one kernel. */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, type DownloadedFile, fetchTransport, memoryTransport } from "@fairlead/client";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { runHere } from "../e2e/command-here.ts";
import { findPython, pythonEnv } from "../python/interpreter.ts";
import { projectFolder, type RunningProject, startProject } from "./kernel.ts";
import { type ProbeTypes, probe } from "./project/gen/probe.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const python = findPython("httpx");
const bytes = randomBytes(3_000_000);
const digest = createHash("sha256").update(bytes).digest("hex");
const folder = mkdtempSync(join(tmpdir(), "fairlead-conformance-files-"));
const path = join(folder, "naïve photo.txt");

let project: RunningProject;
beforeAll(async () => {
  writeFileSync(path, bytes);
  project = await startProject();
});
afterAll(() => project.kernel.close());

const read = async ({ stream }: DownloadedFile): Promise<Buffer> =>
  Buffer.from(await new Response(stream).arrayBuffer());

describe.each([
  ["HTTP", () => fetchTransport({ url: project.url })],
  ["memory", () => memoryTransport(project.kernel.connect())],
])("the TypeScript client over %s", (over, transport) => {
  const client = () => createClient<ProbeTypes>(probe, transport());

  test("sends a file and gets it back, whole and in parts", async () => {
    const as = `whole-${over}`;
    const sent = await client().keep({ as }, new File([bytes], 'a "b".bin', { type: "text/plain" }));
    expect(sent).toEqual({ bytes: bytes.length, digest, name: 'a "b".bin', type: "text/plain" });
    const file = await client().kept({ as });
    expectTypeOf(file).toEqualTypeOf<DownloadedFile>();
    expect(file).toMatchObject({ name: 'a "b".bin', type: "text/plain", size: bytes.length, start: 0 });
    expect((await read(file)).equals(bytes)).toBe(true);
    const part = await client().kept({ as }, { range: { start: 2_000_000, end: 2_000_009 } });
    expect(part).toMatchObject({ start: 2_000_000, size: bytes.length });
    expect(await read(part)).toEqual(bytes.subarray(2_000_000, 2_000_010));
    await expect(client().kept({ as }, { range: { start: bytes.length } })).rejects.toMatchObject({
      code: "out_of_range",
    });
  });

  test("sends bytes as they come", async () => {
    const sent = await client().keep({ as: "stream" }, { stream: new Blob([bytes]).stream(), name: "live" });
    expect(sent).toEqual({ bytes: bytes.length, digest, name: "live", type: "application/octet-stream" });
  });

  test("fails as other calls do", async () => {
    await expect(client().keep({ as: "" }, new Blob(["x"]))).rejects.toMatchObject({
      code: "invalid_argument",
      issues: [{ path: "as" }],
    });
    await expect(client().keep({ as: "x" }, new Blob(["x"], { type: "image/png" }))).rejects.toMatchObject({
      code: "invalid_argument",
      issues: [{ path: "file" }],
    });
    await expect(client().kept({ as: "none" })).rejects.toMatchObject({ code: "not_found", reason: "not_kept" });
    const signal = AbortSignal.abort();
    await expect(client().kept({ as: "none" }, { signal })).rejects.toMatchObject({ code: "canceled" });
  });

  test("a stream that breaks breaks the call", async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("the disk is gone")),
    });
    await expect(client().keep({ as: "broken" }, { stream })).rejects.toThrow();
    await expect(client().kept({ as: "broken" })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe.skipIf(python === undefined)("the Python client", () => {
  test.each(inLongTier ? ["threads", "aio"] : ["aio"])(
    "%s sends and gets files, and fails as other calls do",
    async (driver) => {
      const script = join(import.meta.dirname, "../python/files.py");
      const env = pythonEnv(join(projectFolder, "gen"));
      const { stdout } = await promisify(execFile)(python ?? "", [script, project.url, path, driver], { env });
      const came = { bytes: bytes.length, digest };
      const any = "application/octet-stream";
      expect(JSON.parse(stdout)).toEqual({
        sent: [
          { ...came, name: "naïve photo.txt", type: "text/plain" },
          { ...came, name: 'a "b".bin', type: "text/plain" },
          { ...came, name: null, type: any },
          { ...came, name: null, type: any },
        ],
        whole: { type: "text/plain", name: 'a "b".bin', size: bytes.length, start: 0, tagged: expect.any(Boolean) },
        read: digest,
        part: {
          type: "text/plain",
          name: "naïve photo.txt",
          size: bytes.length,
          start: 2_000_000,
          tagged: expect.any(Boolean),
        },
        piece: true,
        saved: bytes.length,
        copy: digest,
        failures: [
          "invalid_argument",
          "invalid_argument",
          "invalid_argument",
          "out_of_range",
          "resource_exhausted",
          "not_kept",
        ],
      });
    },
  );
});

describe.each([
  ["a running kernel", () => ["--url", project.url]],
  ...(inLongTier ? [["a kernel of its own", () => ["--local"]] as const] : []),
] as const)("the command line with %s", (_, where) => {
  const run = (...args: string[]) => runHere([...args, ...where()], { cwd: projectFolder });

  test("sends --file and says what is missing", async () => {
    const sent = await run("probe", "keep", "--field-as", "cli", "--file", path);
    expect(sent).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(sent.out)).toEqual({ bytes: bytes.length, digest, name: "naïve photo.txt", type: "text/plain" });
    expect(await run("call", "probe.keep", "-d", '{"as":"x"}')).toMatchObject({
      code: 2,
      err: expect.stringContaining("--file <path>"),
    });
    // A sample may leave the file to whoever uses it.
    expect(await run("call", "probe.keep", "-d", '{"as":"x"}', "--as", "curl")).toMatchObject({
      code: 0,
      out: expect.stringContaining("file=@"),
    });
    expect(await run("call", "probe.keep", "-d", '{"as":"x"}', "--file", "/none")).toMatchObject({ code: 2 });
    expect(await run("call", "probe.sum", "-d", '{"a":1}', "--file", path)).toMatchObject({ code: 2 });
    expect(await run("call", "probe.kept", "-d", '{"as":"x"}')).toMatchObject({
      code: 2,
      err: expect.stringContaining("--out <path>"),
    });
  });
});

test("the command line writes --out, under the file's own name in a folder, and nothing where there is no file", async () => {
  const run = (...args: string[]) => runHere([...args, "--url", project.url], { cwd: projectFolder });
  await run("call", "probe.keep", "-d", '{"as":"out"}', "--file", path);
  const out = mkdtempSync(join(folder, "out-"));
  expect(await run("call", "probe.kept", "-d", '{"as":"out"}', "--out", join(out, "copy"))).toMatchObject({
    code: 0,
    out: "",
  });
  expect(readFileSync(join(out, "copy")).equals(bytes)).toBe(true);
  await run("probe", "kept", "--field-as", "out", "--out", out);
  expect(readFileSync(join(out, "naïve photo.txt")).equals(bytes)).toBe(true);
  expect(await run("probe", "kept", "--field-as", "out", "--out", out)).toMatchObject({
    code: 2,
    err: expect.stringContaining("is there already"),
  });
  for (const missing of [`${join(out, "missing")}/`, join(out, "missing", "copy")])
    expect(await run("call", "probe.kept", "-d", '{"as":"out"}', "--out", missing)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`there is no folder ${join(out, "missing")}`),
    });
  expect(existsSync(join(out, "missing"))).toBe(false);
  expect(await run("call", "probe.kept", "-d", '{"as":"none"}', "--out", join(out, "none"))).toMatchObject({ code: 5 });
  expect(existsSync(join(out, "none"))).toBe(false);
});
