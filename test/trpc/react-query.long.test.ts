/**
 * A browser app with @trpc/tanstack-react-query, rendered on a server first, in Chromium: queries, mutations, infinite queries,
 * subscriptions and an aborted call, from another origin and with a token. The app is in `test/foreign/react-query`.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { links } from "@fairlead/client/trpc";
import { createTRPCClient } from "@trpc/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningProject, startProject } from "../conformance/kernel.ts";
import type { AppRouter } from "../conformance/project/gen/app-router.ts";
import { repository } from "../e2e/command.ts";
import { type ForeignProgram, installForeign } from "../foreign/install.ts";

const token = "a-token-for-the-browser";
const chromium = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name)))
  .find((path) => existsSync(path));

let app: ForeignProgram;
let project: RunningProject;
let origin: string;

/** The app's own server: renders the page, and gives its script. */
const server = createServer((request, response) => {
  const answer =
    request.url === "/browser.js"
      ? readFile(join(app.folder, "dist/browser.js"), "utf8").then((body) => ({ type: "text/javascript", body }))
      : app.run("dist/server.js", project.url, token).then((body) => ({ type: "text/html", body }));
  answer.then(
    ({ type, body }) => response.setHeader("content-type", type).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

beforeAll(async () => {
  app = await installForeign("react-query");
  // As npm would install it; the bundler reads its sources.
  const client = join(app.folder, "node_modules/@fairlead/client");
  await cp(join(repository, "clients/typescript"), client, {
    recursive: true,
    filter: (path) => !/node_modules|\/dist(\/|$)/.test(path.slice(repository.length)),
  });
  for (const name of ["app-router.ts", "kernel.ts", "probe.ts"])
    await cp(join(repository, "test/conformance/project/gen", name), join(app.folder, name));
  await app.run("build.js");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sha256 = createHash("sha256").update(token).digest("hex");
  project = await startProject({ origins: [origin], tokens: [{ name: "browser", sha256, access: ["read", "call"] }] });
});

afterAll(async () => {
  server.close().closeAllConnections();
  await project.kernel.close();
  await app.remove();
});

it("compiles with the generated router's type", async () => {
  expect(await app.run("node_modules/typescript/lib/tsc.js", "-p", ".")).toBe("");
});

it("renders what it prefetched, and no more", async () => {
  const page = await app.run("dist/server.js", project.url, token);
  expect(page).toContain('<p id="prefetched">3</p>');
  expect(page).toContain('<span id="pages">0 1 2 3</span>');
  expect(page).toContain('<p id="refused">loading</p>');
});

it("works in the browser", async () => {
  // `.ci/run` installs it.
  expect(chromium, "apt-get install chromium").toBeDefined();
  const { loaded, used, problems, requests } = JSON.parse(await app.run("drive.js", origin, chromium ?? ""));
  expect(problems).toEqual([]);
  expect(loaded).toEqual({
    prefetched: "3",
    refused: "BAD_REQUEST too_big",
    batched: "15 BAD_REQUEST count",
    pages: "0 1 2 3",
    counted: "1:1 2:2 3:3",
  });
  expect(used).toEqual({
    pay: "paid 7",
    pages: "0 1 2 3 | 4 5 6 7 | 8 9",
    aborted: "net::ERR_ABORTED",
  });
  // What was prefetched is not asked for again: the first page of numbers, and the sum of 1 and 2.
  const queries = requests.filter((line: string) => line.startsWith("POST") && /probe\.sum/.test(line));
  expect(queries).toEqual(["POST /trpc/probe.sum,probe.sum,probe.list"]);
  const client = createTRPCClient<AppRouter>({ links: links({ url: project.url, token }) });
  const calls = () => client.probe.ended.query({ name: "browser" });
  await expect.poll(calls).toEqual({ started: 1, ended: 1 });
});
