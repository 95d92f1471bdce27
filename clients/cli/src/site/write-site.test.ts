import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeSite } from "./write-site.ts";

const root = mkdtempSync(join(tmpdir(), "fairlead-site-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const viewer = join(root, "viewer");
beforeAll(() => {
  mkdirSync(join(viewer, "assets"), { recursive: true });
  writeFileSync(
    join(viewer, "docs.html"),
    `<meta charset="utf-8" />
    <meta name="sc-nonce" content="__CSP_NONCE__" />
    <script type="module" src="/console/assets/docs-1.js" nonce="__CSP_NONCE__"></script>
    <main id="reference" data-document="/docs/openapi.json"></main>`,
  );
  for (const path of ["assets/docs-1.js", "licences.txt"]) writeFileSync(join(viewer, path), path);
});

const post = {
  operationId: "shop.add",
  summary: "Adds.",
  responses: { "200": { content: { "application/json": { schema: {} } } } },
  "x-fairlead": { kind: "query", retry: "safe", access: "read" },
};
const document = { info: { title: "Shop" }, tags: [{ name: "shop" }], paths: { "/api/shop/add": { post } } };
const parts = { viewer, document, options: { url: "https://api.example.com", needsToken: true } };

it("writes the viewer with what it needs, the document, Markdown and llms.txt; a second time over the first", async () => {
  const folder = join(root, "site");
  for (const turn of [1, 2]) {
    expect(await writeSite(folder, parts), `turn ${turn}`).toBe(6);
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
      "assets",
      "assets/docs-1.js",
      "index.html",
      "licences.txt",
      "llms.txt",
      "openapi.json",
      "shop.md",
    ]);
  }
  const page = readFileSync(join(folder, "index.html"), "utf8");
  expect(page).toContain('src="./assets/docs-1.js"></script>');
  expect(page).toContain('data-document="openapi.json"');
  expect(page).toContain("default-src 'self'");
  expect(page).not.toContain("NONCE");
  const samples = readFileSync(join(folder, "openapi.json"), "utf8");
  expect(samples).toContain("https://api.example.com/api/shop/add");
  expect(samples).toContain("$FAIRLEAD_TOKEN");
  expect(readFileSync(join(folder, "llms.txt"), "utf8")).toContain("- [shop](shop.md)");
});

it("writes nothing into a folder of somebody else, and says so where no viewer is built", async () => {
  const folder = join(root, "other");
  mkdirSync(folder);
  writeFileSync(join(folder, "llms.txt"), "mine");
  await expect(writeSite(folder, parts)).rejects.toMatchObject({ code: "already_exists", exit: 8 });
  expect(readdirSync(folder)).toEqual(["llms.txt"]);
  const unbuilt = writeSite(join(root, "new"), { ...parts, viewer: undefined });
  await expect(unbuilt).rejects.toMatchObject({ code: "failed_precondition" });
  expect(readdirSync(root)).not.toContain("new");
});
