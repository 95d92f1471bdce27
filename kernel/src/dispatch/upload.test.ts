/** The file of an upload as its handler reads it: so many bytes at most, whatever its sender says of them. */
import { defineContract, mutation, upload } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const common = { retry: "unsafe", input: z.object({}), output: z.int() } as const;
const contract = defineContract({
  id: "box",
  version: "1.0.0",
  summary: "Takes files.",
  procedures: {
    put: upload({ ...common, summary: "Takes a file.", file: { maxBytes: 10 } }),
    shake: mutation({ ...common, summary: "Takes none." }),
  },
});

/** What the box answers to a file of so many parts of five bytes; -1 is not a file. */
const send = async (procedure: string, parts?: number) => {
  const { dispatch, close } = compose({
    config: readConfig({}),
    services: [
      defineService(contract, () => ({
        handlers: {
          put: async (_, { file }) => {
            let bytes = 0;
            for await (const part of file ?? []) bytes += part.length;
            return bytes;
          },
          shake: (_, { file }) => (file === undefined ? -1 : 0),
        },
      })),
    ],
    env: {},
    events: makeEvents(),
    log: () => undefined,
    schema: async () => undefined,
  });
  const file = parts === undefined ? undefined : { type: "text/plain", [Symbol.asyncIterator]: () => bytes(parts) };
  const reply = await connect(dispatch).call(procedure, {}, file && { file });
  await close();
  return reply;
};

async function* bytes(parts: number): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < parts; part += 1) yield new Uint8Array(5);
}

test("as many bytes as are taken are read, and not one part more", async () => {
  expect(await send("box.put", 0)).toMatchObject({ ok: true, value: 0 });
  expect(await send("box.put", 2)).toMatchObject({ ok: true, value: 10 });
  expect(await send("box.put", 3)).toMatchObject({ ok: false, error: { code: "resource_exhausted" } });
});

test("a call without a file has none, and one to a procedure that takes none is refused", async () => {
  expect(await send("box.shake")).toMatchObject({ ok: true, value: -1 });
  expect(await send("box.shake", 1)).toMatchObject({ ok: false, error: { code: "invalid_argument" } });
  expect(await send("box.put")).toMatchObject({ ok: false, error: { code: "invalid_argument" } });
});
