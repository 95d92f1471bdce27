/** Pages that packages of services bring: found by the manifest alone, listed, served as files, and open to a browser that comes back from elsewhere. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineContract, query } from "@fairlead/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Kernel, openKernel } from "../../boot/kernel.ts";
import { findConsolePage } from "../../host/console-page.ts";
import type { Manifest } from "../../host/manifest.ts";
import { defineService } from "../../service/service.ts";
import { send } from "../../testing/wire-fixture.ts";

const contract = defineContract({
  id: "notes",
  version: "1.0.0",
  summary: "Notes.",
  procedures: { list: query({ summary: "Lists.", input: z.object({}), output: z.int().describe("How many.") }) },
});

/** A package with a page, and files beside it that are none of it. */
const makePackage = (declared: unknown = { title: "Notes", module: "./dist/console/page.js" }): string => {
  const folder = mkdtempSync(join(tmpdir(), "fl-package-"));
  mkdirSync(join(folder, "dist/console/assets"), { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "x", fairlead: { console: { notes: declared } } }),
  );
  writeFileSync(join(folder, "service.js"), "");
  writeFileSync(join(folder, "dist/secret.js"), "not a page");
  writeFileSync(join(folder, "dist/console/page.js"), "export default () => null;");
  writeFileSync(join(folder, "dist/console/assets/chart-1a2b.js"), "export const chart = 1;");
  return folder;
};

const manifestOf = (folder: string): Manifest => ({
  version: 1,
  url: pathToFileURL(join(folder, "manifest.js")).href,
  services: [
    { id: "notes", module: "./service.js" },
    { id: "idle", module: "./service.js" },
  ],
  tools: async () => [],
  openapi: async () => "{}",
  schema: async () => undefined,
  router: async () => Promise.reject(new Error("not asked for")),
});

const opened: Kernel[] = [];
afterAll(async () => {
  for (const kernel of opened.splice(0)) await kernel.close();
});

describe("a page in a package of the manifest", () => {
  let port = 0;
  beforeAll(async () => {
    const kernel = await openKernel({
      services: [defineService(contract, () => ({ handlers: { list: () => 0 } }))],
      manifest: manifestOf(makePackage()),
      flags: { port: 0, lagMs: 60_000, stateDir: mkdtempSync(join(tmpdir(), "fl-console-")) },
      env: {},
      log: () => {},
    });
    opened.push(kernel);
    ({ port } = await kernel.serve());
  });

  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    send(port, { path, method, headers });

  test("is listed with the address of its module", async () => {
    expect(JSON.parse((await ask("/api/kernel/pages")).text)).toEqual({
      pages: [{ service: "notes", title: "Notes", module: "/console/x/notes/page.js" }],
    });
  });

  test("is served with what lies beside it, as scripts that are asked for again or never change", async () => {
    const page = await ask("/console/x/notes/page.js");
    expect(page).toMatchObject({
      status: 200,
      text: "export default () => null;",
      headers: {
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      },
    });
    const part = await ask("/console/x/notes/assets/chart-1a2b.js");
    expect(part.headers["cache-control"]).toContain("immutable");
  });

  test.each([
    "/console/x/notes/../secret.js",
    "/console/x/notes/%2e%2e/secret.js",
    "/console/x/notes/..%2fsecret.js",
    "/console/x/notes/secret.js",
    "/console/x/notes/package.json",
    "/console/x/idle/page.js",
    "/console/x/kernel/page.js",
    "/console/x/other/page.js",
    "/console/x/__proto__/page.js",
  ])("nothing else is: %s", async (path) => {
    const { status, text } = await ask(path);
    expect(status).not.toBe(200);
    expect(text).not.toContain("not a page");
  });

  describe("is where another site may lead a browser", () => {
    const navigation = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

    test("as after a login there, and nowhere else", async () => {
      // No pages of the console are built here, which is said after the guard.
      expect((await ask("/console/x/notes?code=1", navigation)).status).toBe(503);
      for (const path of ["/console", "/console/services", "/api/kernel/services", "/trpc/kernel.services", "/"])
        expect((await ask(path, navigation)).status).toBe(403);
    });

    test.each([
      ["a script", { "sec-fetch-mode": "cors" }, "GET"],
      ["a script of a page", { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" }, "GET"],
      ["a frame", { "sec-fetch-dest": "iframe" }, "GET"],
      ["a form", {}, "POST"],
      ["a page that says where it is from", { origin: "http://evil.example" }, "GET"],
    ])("but not by %s", async (_, headers, method) => {
      expect((await ask("/console/x/notes", { ...navigation, ...headers }, method)).status).toBe(403);
    });
  });
});

test.each([
  ["it is not declared", {}],
  ["its module is missing", { title: "Notes", module: "./dist/console/other.js" }],
  ["its module is outside of the package", { title: "Notes", module: "../page.js" }],
  ["its module has no folder of its own", { title: "Notes", module: "./service.js" }],
  ["its module is not a script", { title: "Notes", module: "./package.json" }],
  ["it has no title", { module: "./dist/console/page.js" }],
])("there is none where %s", (_, declared) => {
  expect(findConsolePage(manifestOf(makePackage(declared)), "notes")).toBe(undefined);
});
