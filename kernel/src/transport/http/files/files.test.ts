import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, download, upload } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { openFile, saveFile } from "../../../files.ts";
import { Call } from "../../../service/handler.ts";
import { defineService } from "../../../service/service.ts";
import { eventually, type Fixture, raw, send, startFixture } from "../../../testing/wire-fixture.ts";

const most = 4_000_000;

const drawer = defineContract({
  id: "drawer",
  version: "1.0.0",
  summary: "Keeps files.",
  procedures: {
    put: upload({
      summary: "Keeps a file.",
      retry: "idempotent",
      input: z.object({ as: z.string() }),
      file: { maxBytes: most },
      output: z.object({ size: z.int(), type: z.string(), name: z.string().optional(), said: z.int().optional() }),
    }),
    picture: upload({
      summary: "Looks at the first bytes of an image.",
      retry: "unsafe",
      input: z.object({}),
      file: { maxBytes: most, types: ["image/*"] },
      output: z.int(),
    }),
    get: download({ summary: "Gives a file.", input: z.object({ as: z.string() }) }),
    blob: download({ summary: "Gives a blob.", input: z.object({}), types: ["text/plain"] }),
    wrong: download({ summary: "Gives what it may not.", input: z.object({}), types: ["image/png"] }),
    short: download({ summary: "Gives less than it says.", input: z.object({}) }),
    endless: download({ summary: "Never ends.", input: z.object({}) }),
  },
});

const folder = mkdtempSync(join(tmpdir(), "fairlead-files-"));
const seen = { sent: 0, left: 0 };

const service = defineService(drawer, () => ({
  handlers: {
    put: async ({ as }, call) => {
      const { name, type, size: said } = call.file;
      const size = await saveFile(call.file, join(folder, as));
      return { size, type, ...(name !== undefined && { name }), ...(said !== undefined && { said }) };
    },
    picture: async (_, call) => {
      for await (const part of call.file) return part.length > 0 ? 1 : 0;
      return 0;
    },
    get: ({ as }) => openFile(join(folder, as), { type: "text/html", name: 'naïve "1".html' }),
    blob: () => new File(["hello, world"], "../../hello.txt", { type: "text/plain" }),
    wrong: () => new Blob(["<svg/>"], { type: "image/svg+xml" }),
    short: () => ({
      type: "text/plain",
      size: 10,
      open: async function* () {
        yield Buffer.from("short");
      },
    }),
    endless: () => ({
      type: "application/octet-stream",
      open: async function* () {
        try {
          for (;;) {
            seen.sent += 65_536;
            yield Buffer.alloc(65_536);
          }
        } finally {
          seen.left += 1;
        }
      },
    }),
  },
}));

const flow = defineContract({
  id: "flow",
  version: "1.0.0",
  summary: "Counts bytes in Effect.",
  procedures: {
    count: upload({
      summary: "Counts bytes.",
      retry: "unsafe",
      input: z.object({}),
      file: { maxBytes: 100 },
      output: z.object({ bytes: z.int() }),
    }),
    zeros: download({ summary: "Gives zeros.", input: z.object({}) }),
  },
});

const effects = defineService(flow, {
  handlers: {
    count: () =>
      Effect.gen(function* () {
        const { file } = yield* Call;
        if (file === undefined) return { bytes: -1 };
        const parts = Stream.orDie(Stream.fromAsyncIterable(file, (cause) => cause));
        return {
          bytes: yield* Stream.runFold(
            parts,
            () => 0,
            (sum, part) => sum + part.length,
          ),
        };
      }),
    zeros: () => Effect.succeed(new Blob([new Uint8Array(5)])),
  },
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ services: [service, effects], times: { request: 120_000 } });
});
afterAll(() => fixture.close());

const boundary = "----x";
const part = (head: string, body: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const input = (value: unknown): string => part('name="input"\r\ncontent-type: application/json', JSON.stringify(value));
const form = (...parts: string[]): string => `${parts.join("")}--${boundary}--\r\n`;
const postForm = (path: string, body: string | Uint8Array, headers = {}) =>
  send(fixture.port, {
    method: "POST",
    path,
    body,
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"`, ...headers },
  });
const get = (path: string, headers: Record<string, string> = {}) => send(fixture.port, { path, headers });
/** Unfinished files have the name of the finished one in front. */
const files = (name: string): readonly string[] => readdirSync(folder).filter((each) => each.startsWith(name));

describe("upload", () => {
  test("a form has an input and a file of any bytes, whatever is in them", async () => {
    const bytes = `--${boundary.slice(1)}\r\n\r\n--\r\n--${boundary.slice(0, -1)}`;
    const file = part(
      'name="file"; filename="C:\\\\fakepath\\\\a%22b.txt"\r\ncontent-type: text/plain; charset=utf-8',
      bytes,
    );
    const answer = await postForm("/api/drawer/put", form(input({ as: "one" }), file));
    expect(answer.json).toEqual({ size: bytes.length, type: "text/plain; charset=utf-8", name: 'a"b.txt' });
    expect(readFileSync(join(folder, "one"), "utf8")).toBe(bytes);
  });

  test("an empty file is one", async () => {
    const answer = await postForm("/api/drawer/put", form(input({ as: "empty" }), part('name="file"', "")));
    expect(answer.json).toEqual({ size: 0, type: "application/octet-stream" });
  });

  test("what fetch and FormData send is read", async () => {
    const data = new FormData();
    data.append("input", new Blob(['{"as":"web"}'], { type: "application/json" }));
    data.append("file", new File([Buffer.alloc(300_000, 7)], "naïve.bin", { type: "x/y" }));
    const answer = await fetch(`${fixture.url}/api/drawer/put`, { method: "POST", body: data });
    expect(await answer.json()).toEqual({ size: 300_000, type: "x/y", name: "naïve.bin" });
    expect(answer.headers.get("connection")).toBe("keep-alive");
  });

  test("the body alone is the file, its input in the query", async () => {
    const headers = { "content-type": "text/csv", "content-disposition": 'attachment; filename="../a.csv"' };
    const answer = await send(fixture.port, { method: "POST", path: "/api/drawer/put?as=raw", body: "a;b", headers });
    expect(answer.json).toEqual({ size: 3, type: "text/csv", name: "a.csv", said: 3 });
    const json = { "content-type": "application/json" };
    const mistaken = await send(fixture.port, {
      method: "POST",
      path: "/api/drawer/put?as=raw",
      body: "{}",
      headers: json,
    });
    expect(mistaken).toMatchObject({ status: 400, json: { code: "invalid_argument", issues: [{ path: "file" }] } });
  });

  test("a form cut into single bytes is the same form", async () => {
    const text = form(input({ as: "bytewise" }), part('name="file"', "0123456789\r\n--"));
    const head = [
      "POST /api/drawer/put HTTP/1.1",
      `Host: 127.0.0.1:${fixture.port}`,
      `content-type: multipart/form-data; boundary=${boundary}`,
      `content-length: ${text.length}`,
      "connection: close",
    ];
    const connection = raw(fixture.port, `${head.join("\r\n")}\r\n\r\n`);
    connection.socket.setNoDelay();
    for (const char of text) await new Promise((resolve) => connection.socket.write(char, resolve));
    expect(await connection.ended).toContain('{"size":14,');
  });

  test.each([
    ["no file", form(input({ as: "bad" })), "takes a file"],
    ["the file first", form(part('name="file"', "x"), input({ as: "bad" })), "does not match its contract"],
    ["another part", form(part('name="other"', "x")), "neither `input` nor `file`"],
    [
      "two files",
      form(input({ as: "bad" }), part('name="file"', "x"), part('name="file"', "y")),
      "more after the part",
    ],
    ["no last boundary", form(input({ as: "bad" }), part('name="file"', "x")).slice(0, -6), "the form ends"],
    ["no boundary at all", "x".repeat(40_000), "has no boundary"],
    ["an input that is not JSON", form(part('name="input"', "{as"), part('name="file"', "x")), "JSON"],
    ["a head without an end", `--${boundary}\r\n${"x".repeat(40_000)}`, "without an end of its headers"],
  ])("%s is refused, and leaves no file", async (_, body, message) => {
    const answer = await postForm("/api/drawer/put", body);
    expect(answer).toMatchObject({
      status: 400,
      json: { code: "invalid_argument", detail: expect.stringContaining(message) },
    });
    expect(files("bad")).toEqual([]);
  });

  test("a file of another type, or for a procedure that takes none, is refused", async () => {
    const answer = await postForm("/api/drawer/picture", form(part('name="file"\r\ncontent-type: text/plain', "x")));
    expect(answer).toMatchObject({ status: 400, json: { issues: [{ path: "file", expected: "a file of image/*" }] } });
    expect((await postForm("/api/wire/pay", form(part('name="file"', "x")))).status).toBe(415);
  });

  test("what is said to be too large is refused before it is sent", async () => {
    const head = [
      "POST /api/drawer/put?as=huge HTTP/1.1",
      `Host: 127.0.0.1:${fixture.port}`,
      "content-type: x/y",
      `content-length: ${most + 1}`,
      "expect: 100-continue",
    ];
    const text = await raw(fixture.port, `${head.join("\r\n")}\r\n\r\n`).ended;
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(text).toContain("connection: close");
  });

  test("what turns out to be too large is not read on, and leaves no file", async () => {
    const head = [
      "POST /api/drawer/put?as=grows HTTP/1.1",
      `Host: 127.0.0.1:${fixture.port}`,
      "content-type: x/y",
      "transfer-encoding: chunked",
    ];
    const connection = raw(fixture.port, `${head.join("\r\n")}\r\n\r\n`);
    connection.socket.on("error", () => {});
    const chunk = `100000\r\n${"x".repeat(1_048_576)}\r\n`;
    for (let sent = 0; sent <= most; sent += 1_048_576) connection.socket.write(chunk);
    expect(await connection.until((text) => text.includes("the most that"))).toMatch(/^HTTP\/1.1 413 /);
    connection.socket.destroy();
    expect(files("grows")).toEqual([]);
  });

  test("a sender that hangs up leaves no file", async () => {
    const head = [
      "POST /api/drawer/put?as=gone HTTP/1.1",
      `Host: 127.0.0.1:${fixture.port}`,
      "content-type: x/y",
      "content-length: 1000",
    ];
    const connection = raw(fixture.port, `${head.join("\r\n")}\r\n\r\nabc`);
    await eventually(() => files("gone").length === 1);
    connection.socket.destroy();
    await eventually(() => files("gone").length === 0);
  });

  test("a handler need not read it all", async () => {
    const image = part('name="file"\r\ncontent-type: image/png', "x".repeat(100));
    expect((await postForm("/api/drawer/picture", form(image))).text).toBe("1");
  });
});

test("an Effect handler reads a file as a Stream, under the same limits, and gives one", async () => {
  const file = (size: number) => form(part('name="file"', "x".repeat(size)));
  expect((await postForm("/api/flow/count", file(100))).json).toEqual({ bytes: 100 });
  expect(await postForm("/api/flow/count", file(101))).toMatchObject({
    status: 413,
    json: { code: "resource_exhausted" },
  });
  expect((await get("/api/flow/zeros")).text).toBe("\0\0\0\0\0");
});

describe("download", () => {
  const text = "0123456789";
  beforeAll(() => writeFileSync(join(folder, "page"), text));

  test("a file comes whole, under its name, and is not shown as a page of this server", async () => {
    const answer = await get("/api/drawer/get?as=page");
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers).toMatchObject({
      "content-type": "text/html",
      "content-length": "10",
      "accept-ranges": "bytes",
      "content-disposition": "attachment; filename=\"na_ve _1_.html\"; filename*=UTF-8''na%C3%AFve%20%221%22.html",
      "content-security-policy": "sandbox; default-src 'none'",
      etag: expect.stringMatching(/^"[a-z0-9-]+"$/),
    });
  });

  test.each([
    ["bytes=0-0", 206, "0", "bytes 0-0/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=-30", 206, text, "bytes 0-9/10"],
    ["bytes=2-99", 206, "23456789", "bytes 2-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=-0", 416, "", "bytes */10"],
    ["bytes=5-2", 200, text, undefined],
    ["bytes=0-1,4-5", 200, text, undefined],
    ["items=0-1", 200, text, undefined],
    ["bytes=-", 200, text, undefined],
  ])("%s is answered %i", async (range, status, body, contentRange) => {
    const answer = await get("/api/drawer/get?as=page", { range });
    expect(answer).toMatchObject({ status, text: body });
    expect(answer.headers["content-range"]).toBe(contentRange);
  });

  test("a client that has it gets 304, and a part only of the same file", async () => {
    const { etag = "" } = (await get("/api/drawer/get?as=page")).headers;
    expect(await get("/api/drawer/get?as=page", { "if-none-match": `"old", W/${etag}` })).toMatchObject({
      status: 304,
      text: "",
    });
    const range = "bytes=8-";
    expect(await get("/api/drawer/get?as=page", { range, "if-range": etag })).toMatchObject({
      status: 206,
      text: "89",
    });
    expect(await get("/api/drawer/get?as=page", { range, "if-range": '"old"' })).toMatchObject({ status: 200, text });
  });

  test("a blob comes with its name, and in parts", async () => {
    const answer = await get("/api/drawer/blob", { range: "bytes=7-" });
    expect(answer).toMatchObject({ status: 206, text: "world" });
    expect(answer.headers["content-disposition"]).toContain('filename="hello.txt"');
    expect((await get("/api/drawer/blob", { range: "bytes=0-0", "if-range": '"undefined"' })).status).toBe(200);
  });

  test("what the contract does not allow is a defect, and what ends too early is cut off", async () => {
    expect((await get("/api/drawer/wrong")).status).toBe(500);
    await expect(get("/api/drawer/short")).rejects.toThrow();
    expect((await get("/api/drawer/get?as=none")).status).toBe(500);
  });

  test("a reader that stops is waited for, and its leaving ends the source", async () => {
    const head = ["GET /api/drawer/endless HTTP/1.1", `Host: 127.0.0.1:${fixture.port}`];
    const connection = raw(fixture.port, `${head.join("\r\n")}\r\n\r\n`);
    connection.socket.pause();
    let before = -1;
    await eventually(() => {
      const isStill = seen.sent > 0 && seen.sent === before;
      before = seen.sent;
      return isStill;
    });
    expect(seen.sent).toBeLessThan(32_000_000);
    connection.socket.destroy();
    await eventually(() => seen.left === 1);
  });
});
