/** The first page is small, heavy pages come when they are opened, and nothing in them leads outside. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildPages, removeFolder } from "./console.ts";

/** Bytes, compressed by gzip. */
const mostOfFirstPage = 300_000;

test("the first page is at most 300 KB, and each page has a part of its own", async () => {
  const folder = await buildPages();
  try {
    const shell = readFileSync(join(folder, "index.html"), "utf8");
    const first = [...shell.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, path = ""]) => path);
    const sizes = first.map((path) => gzipSync(readFileSync(join(folder, path))).byteLength);
    expect(sizes.reduce((sum, size) => sum + size, gzipSync(shell).byteLength)).toBeLessThan(mostOfFirstPage);
    const parts = readdirSync(join(folder, "assets"));
    for (const page of [
      "services",
      "service",
      "contracts",
      "playground",
      "calls",
      "logs",
      "metrics",
      "clients",
      "access",
      "doctor",
      "waterfall-view",
      "palette",
      "service-page",
    ]) {
      const own = parts.filter(
        (name) => name.startsWith(`${page}-`) && name.length === `${page}-12345678.js`.length && name.endsWith(".js"),
      );
      expect(own).toHaveLength(1);
      expect(first).not.toContain(`assets/${own[0]}`);
    }
    // What pages of services import keeps its names.
    expect(readFileSync(join(folder, "kit/1/react.js"), "utf8")).toMatch(/as useState\b/);
    expect(readFileSync(join(folder, "kit/1/jsx-runtime.js"), "utf8")).toMatch(/as jsxs\b/);
    expect(readFileSync(join(folder, "kit/1/kit.js"), "utf8")).toMatch(/as serviceApi\b/);
    expect(shell).not.toMatch(/(?:src|href)="(?!\/console\/)/);
    for (const name of parts.filter(
      (each) => /\.(?:js|css)$/.test(each) && statSync(join(folder, "assets", each)).size >= 1_024,
    ))
      expect(parts).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
    expect(readFileSync(join(folder, "licences.txt"), "utf8")).toContain("react-dom");
  } finally {
    removeFolder(folder);
  }
});
