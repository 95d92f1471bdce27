/** Files with senders that fall silent, sources that never end, and descriptions that no header can hold. */
import { mkdtempSync, readdirSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, download, upload } from "@fairlead/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { saveFile } from "../../../files.ts";
import { defineService } from "../../../service/service.ts";
import { eventually, type Fixture, raw, send, startFixture } from "../../../testing/wire-fixture.ts";
import { sendDownload } from "./download.ts";

const shelf = defineContract({
  id: "shelf",
  version: "1.0.0",
  summary: "Keeps files.",
  procedures: {
    put: upload({
      summary: "Keeps a file.",
      retry: "idempotent",
      input: z.object({ as: z.string() }),
      file: { maxBytes: 4_000_000 },
      output: z.object({ name: z.string().optional() }),
    }),
    described: download({
      summary: "Gives a file as the input describes it.",
      input: z.object({ type: z.string(), etag: z.string() }),
    }),
    stuck: download({ summary: "Begins, and gives no more.", input: z.object({}) }),
  },
});

const folder = mkdtempSync(join(tmpdir(), "fairlead-hostile-"));

const service = defineService(shelf, () => ({
  handlers: {
    put: async ({ as }, call) => {
      await saveFile(call.file, join(folder, as));
      const { name } = call.file;
      return name === undefined ? {} : { name };
    },
    described: ({ type, etag }) => ({ type, etag, open: () => new Blob(["x"]).stream() }),
    stuck: () => ({
      type: "text/plain",
      open: async function* () {
        yield Buffer.from("begun");
        await new Promise(() => undefined);
      },
    }),
  },
}));

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ services: [service], times: { request: 120_000 } });
});
afterAll(() => fixture.close());

/** Unfinished files have the name of the finished one in front. */
const files = (name: string): readonly string[] => readdirSync(folder).filter((each) => each.startsWith(name));

const post = (as: string, head: string) => {
  const part = (more: string, body: string): string =>
    `--x\r\ncontent-disposition: form-data; ${more}\r\n\r\n${body}\r\n`;
  const body = `${part('name="input"', JSON.stringify({ as }))}${part(`name="file"${head}`, "x")}--x--\r\n`;
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  return send(fixture.port, { method: "POST", path: "/api/shelf/put", body, headers });
};

test("a sender that is silent until its call is over leaves no file", async () => {
  const head = [
    "POST /api/shelf/put?as=silent HTTP/1.1",
    `Host: 127.0.0.1:${fixture.port}`,
    "content-type: x/y",
    "content-length: 1000",
    "fairlead-timeout-ms: 500",
  ];
  const connection = raw(fixture.port, `${head.join("\r\n")}\r\n\r\nabc`);
  expect(await connection.until((text) => text.includes("deadline_exceeded"))).toMatch(/^HTTP\/1.1 504 /);
  await eventually(() => files("silent").length === 0);
  connection.socket.destroy();
});

test.each(["text/html\nx-more: yes", "日本", "text", `text/${"x".repeat(300)}`])(
  "%j is not a media type of an upload",
  async (type) => {
    expect(await post("typed", `\r\ncontent-type: ${type}`)).toMatchObject({
      status: 400,
      json: { issues: [{ path: "file" }] },
    });
    expect(files("typed")).toEqual([]);
  },
);

test("a name has no characters that a terminal or a list of files acts on", async () => {
  const answer = await post("named", '; filename="a\u001b[2J\u009bb\u202egnp.exe"');
  expect(answer.json).toEqual({ name: "a[2Jbgnp.exe" });
});

test.each([
  ["text/html\nx-more: yes", ""],
  ["日本", ""],
  ["text/plain", "日本"],
  ["text/plain", 'a"b\r\n'],
])("a download of the type %j with the tag %j is a defect, and is answered", async (type, etag) => {
  const path = `/api/shelf/described?${new URLSearchParams({ type, etag })}`;
  expect(await send(fixture.port, { path })).toMatchObject({ status: 500, json: { code: "internal" } });
});

test("a source that never ends does not keep the kernel from closing once its reader is gone", async () => {
  const own = await startFixture({ services: [service] });
  const connection = raw(own.port, `GET /api/shelf/stuck HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\n\r\n`);
  await connection.until((text) => text.includes("begun"));
  connection.socket.destroy();
  await own.close();
});

test("a file whose reader is gone already is not opened", async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.destroy();
  let opened = 0;
  const open = () => {
    opened += 1;
    return new Blob([]).stream();
  };
  await sendDownload(response, { type: "text/plain", open });
  expect(opened).toBe(0);
});

test("a file that is refused while it is sent: a sender that reads only afterwards gets the whole answer", async () => {
  const { port } = fixture;
  const block = Buffer.alloc(1_048_576, 0x20);
  for (const [path, status] of [
    ["/api/shelf/put?as=late", "413"],
    ["/trpc/shelf.put", "413"],
  ]) {
    const client = raw(port, `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: text/plain\r\n`);
    client.socket.pause().write(`Content-Length: ${16 * block.length}\r\n\r\n`);
    for (let sent = 0; sent < 16; sent += 1) {
      await new Promise<void>((resolve) => void client.socket.write(block, () => resolve()));
    }
    client.socket.resume();
    expect(await client.ended).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\\}$`, "s"));
  }
});
