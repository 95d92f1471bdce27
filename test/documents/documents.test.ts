/** What the four documents at the root say, held to what there is: commands, settings, addresses, links and numbers. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { defaultLimits, defaultOutputLimits, genConfigSchema } from "@fairlead/contracts";
import { configSchema, type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ownBin, repository } from "../e2e/command.ts";
import { plans } from "./plans.ts";
import { commands, type Document, documentText, inlineCodes } from "./snippets.ts";

const execute = promisify(execFile);
const help = execute(process.execPath, [ownBin, "--help"]).then(({ stdout }) => stdout);
const silent = makeLog({ level: "error", write: () => {} });

describe.each(Object.keys(plans) as Document[])("the commands of %s", (document) => {
  it("each have a plan, and each plan a command", () => {
    const found = commands.filter((each) => each.document === document).map(({ text }) => text);
    expect(Object.keys(plans[document]).toSorted()).toEqual([...new Set(found)].toSorted());
  });

  it("of fairlead exist", async () => {
    const known = [...(await help).matchAll(/^ {2}(\w+(?: \w+)?) {2,}/gm)].map(([, name = ""]) => name);
    expect(known).toContain("token create");
    const groups = new Set(known.filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]));
    const named = inlineCodes(document)
      .map((code) => code.replace(/^(?:npx )?fairlead /, "").split(" "))
      .filter(([group, names]) => groups.has(group ?? "") && names !== undefined)
      .flatMap(([group, names = ""]) => names.split("|").map((name) => `${group} ${name}`));
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("and its links lead to files", () => {
    const links = [...documentText(document).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });
});

describe("the settings in the README", () => {
  const rows = documentText("README.md")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    .filter(([, , variable]) => variable === "" || /^FAIRLEAD_/.test(variable ?? ""))
    .map(([, key = "", variable = "", value = ""]) => ({ key, variable, value }))
    .filter(({ key }) => /^[a-z]\w+(\.\w+)?$/.test(key));

  /** Words for what is not set. */
  const unset = /^(none|all|off|the shipped services|as each service declares|\$XDG_.*)?$/;

  it("are all that there are", () => {
    const keys = new Set(rows.map(({ key }) => key.split(".")[0]));
    expect([...keys].toSorted()).toEqual(Object.keys(configSchema.shape).toSorted());
  });

  it("have the defaults that are written there", () => {
    const defaults: Readonly<Record<string, unknown>> = z.object(configSchema.shape).parse({});
    const settingAt = (key: string): unknown =>
      key.split(".").reduce<unknown>((value, name) => Object(value)[name], defaults);
    const { contracts, services, out } = genConfigSchema.parse({});
    const shown = (value: unknown): string =>
      typeof value === "number" || Object.values(Object(value)).length > 0 ? String(value) : "";
    const expected = Object.fromEntries(rows.map(({ key }) => [key, shown(settingAt(key))]));
    // Its own defaults are read where it is used.
    expected.gen = [...contracts, services, out].join(", ");
    const written = rows.map(({ key, value }) => [key, unset.test(value) ? "" : value]);
    expect(Object.fromEntries(written)).toEqual(expected);
  });

  it("follow their variables", async () => {
    const variables = rows.map(({ variable }) => variable).filter((name) => name !== "");
    const env = Object.fromEntries(variables.map((name) => [name, "\u0000"]));
    const refused = await openKernel({ env, log: silent }).then(
      () => "nothing",
      (error: unknown) => JSON.stringify(error),
    );
    // Texts may hold anything; numbers, lists of origins and levels may not.
    for (const name of ["FAIRLEAD_PORT", "FAIRLEAD_LAG_MS", "FAIRLEAD_ORIGINS", "FAIRLEAD_LOG_LEVEL"])
      expect(refused).toContain(`"path":"${name}","expected"`);
    expect(refused).not.toContain("no such variable");
  });
});

describe("a kernel", () => {
  let kernel: Kernel;
  let url: string;
  beforeAll(async () => {
    const stateDir = mkdtempSync(join(tmpdir(), "fairlead-documents-"));
    kernel = await openKernel({ env: {}, flags: { port: 0, lagMs: 60_000, stateDir }, log: silent });
    const { port } = await kernel.serve();
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => kernel.close());

  const addresses = inlineCodes("README.md")
    .filter((code) => /^\/[a-z]/.test(code))
    .map((code) => code.replace("<service>", "rules").replace("<procedure>", "resolveAttack"));
  it.each([...new Set(addresses)])("has %s", async (path) => {
    const { status } = await fetch(`${url}${path}`, { headers: { accept: "application/json, text/event-stream" } });
    expect(status).not.toBe(404);
  });

  it("has no other", async () => {
    expect((await fetch(`${url}/no-such-address`)).status).toBe(404);
  });

  it("documents every procedure as a POST, and as a GET what a query string can ask for", async () => {
    const { paths }: OpenApi = JSON.parse(await kernel.manifest.openapi());
    for (const { get, post } of Object.values(paths)) {
      expect(post?.requestBody, post?.operationId).toBeDefined();
      expect(queryParameters(post)).toEqual([]);
      if (get === undefined) continue;
      expect(get.operationId).toBe(`${post?.operationId}_get`);
      expect(get.requestBody).toBeUndefined();
      for (const { schema } of queryParameters(get)) expect(schema?.type, get.operationId).not.toBe("object");
    }
    expect(paths["/api/kernel/services"]?.get).toBeDefined();
    expect(paths["/api/rules/resolveAttack"]?.get).toBeUndefined();
  });
});

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", Operation>>>>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in?: string; readonly schema?: { readonly type?: unknown } }[];
  readonly requestBody?: unknown;
}

const queryParameters = (operation: Operation | undefined): NonNullable<Operation["parameters"]> =>
  (operation?.parameters ?? []).filter((parameter) => parameter.in === "query");

it("the limits in SECURITY.md are the contract language's defaults", () => {
  const text = documentText("SECURITY.md").replace(/\s+/g, " ");
  const { bytes, depth } = defaultLimits;
  expect(text).toContain(
    `Bodies are capped while they are read (${bytes / 2 ** 20} MiB unless a procedure asks for more) and scanned for depth (${depth})`,
  );
  expect(text).toContain(
    `held to a depth (${defaultOutputLimits.depth}) and a size (${defaultOutputLimits.bytes / 2 ** 20} MiB)`,
  );
});
