/**
 * The Dockerfile of a new project, built from the packed packages and run: as its own user, read-only but for its volume, with its healthcheck. Needs root, mmdebstrap and buildah, and takes minutes, since
 * the base is made here: no registry of images is asked.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repository } from "./command.ts";
import { type Container, type ImageSettings, ImageStore, runContained, terminate } from "./image.ts";
import { npm } from "./packed.ts";
import { type Registry, startRegistry } from "./registry.ts";

const token = "a-token-of-this-container";

let folder: string;
let registry: Registry;
let images: ImageStore;
let settings: ImageSettings;
let root: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairlead-image-"));
  await npm(["run", "build"], repository);
  registry = await startRegistry();
  images = await ImageStore.open();
  await npm(["create", "--yes", "fairlead@latest", "my-app"], folder, registry.env);
  await images.makeBase(registry.env.YARN_NPM_REGISTRY_SERVER ?? "");
  settings = await images.build("my-app", join(folder, "my-app"));
  root = await images.mount("my-app");
}, 1_800_000);
afterAll(async () => {
  await images?.[Symbol.asyncDispose]();
  await registry?.close();
  await rm(folder, { recursive: true, force: true });
});

const contained = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Container =>
  runContained({ root, settings, kept: join(folder, "volumes"), env: { FAIRLEAD_TOKEN: token, ...env } }, words);

const run = async (
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly out: string }> => {
  const child = contained(words, env);
  const [[code], out, err] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { code, out: out + err };
};

/** Runs the image's own command until the kernel listens; `end` stops it and gives its exit code. */
const serve = async (): Promise<{ readonly url: string; readonly end: () => Promise<number | null> }> => {
  const child = contained(settings.Cmd, { FAIRLEAD_PORT: "0" });
  let said = "";
  const closed = once(child, "close");
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (more: string) => {
        said += more;
        const [, found] = /http:\/\/[\d.]+:(\d+)/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
    closed.then(() => reject(new Error(`the container ended: ${said}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    end: async () => {
      await terminate(child);
      const [code] = await closed;
      return code;
    },
  };
};

const greet = async (url: string, headers: Readonly<Record<string, string>>): Promise<readonly [number, string]> => {
  const body = JSON.stringify({ name: "Ada" });
  const sent = { method: "POST", body, headers: { "content-type": "application/json", ...headers } };
  const reply = await fetch(`${url}/api/hello/greet`, sent);
  return [reply.status, await reply.text()];
};

test("an image is not run as root, and keeps its state in a volume", () => {
  expect(settings).toMatchObject({ User: "node", Cmd: ["node", "dist/index.js"], Volumes: { "/state": {} } });
  expect(settings.Healthcheck.Test[0]).toBe("CMD");
});

test("nothing in it can be written but the volume, and it holds no sources and no packages", async () => {
  const script = `const fs = require("fs");
    const code = (path) => { try { fs.writeFileSync(path, ""); return "written"; } catch (error) { return error.code; } };
    console.log(JSON.stringify([process.getuid(), code("/app/dist/index.js"), code("/app/x"), code("/state/x"), fs.readdirSync("/app")]));`;
  const { code, out } = await run(["node", "-e", script]);
  expect([code, out.trim()]).toEqual([0, JSON.stringify([1000, "EROFS", "EROFS", "written", ["dist"]])]);
});

test("it does not start without a token, and says what to do", async () => {
  const { code, out } = await run(settings.Cmd, { FAIRLEAD_TOKEN: "", FAIRLEAD_PORT: "0" });
  expect(code).not.toBe(0);
  expect(out).toContain("FAIRLEAD_TOKEN");
});

test("it answers whoever has the token, is healthy, and ends in order; its state is there the next time", async () => {
  const first = await serve();
  expect((await greet(first.url, {}))[0]).toBe(401);
  const [status, answer] = await greet(first.url, { authorization: `Bearer ${token}` });
  expect([status, answer]).toEqual([200, expect.stringContaining("Ada")]);
  const probe = settings.Healthcheck.Test.slice(1);
  const port = { FAIRLEAD_PORT: new URL(first.url).port };
  expect(await run(probe, port)).toEqual({ code: 0, out: "" });
  expect(await first.end()).toBe(0);
  expect(await run(probe, port)).toEqual({ code: 1, out: "" });
  const second = await serve();
  expect((await greet(second.url, { authorization: `Bearer ${token}` }))[0]).toBe(200);
  expect(await second.end()).toBe(0);
});
