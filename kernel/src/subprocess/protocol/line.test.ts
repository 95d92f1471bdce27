import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLine, writeLine } from "./line.ts";
import { createByteRing, createNoiseLog } from "./output-tail.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe("a line", () => {
  test("is read back as it was written", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (message) => {
        const line = writeLine(message);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        const read = readLine(bytes(line.slice(0, -1)));
        expect(read.kind === "message" && JSON.stringify(read.message)).toBe(JSON.stringify(message));
      }),
    );
  });

  test("never throws, whatever the bytes", () => {
    fc.assert(fc.property(fc.uint8Array(), (any) => ["message", "noise", "garbled"].includes(readLine(any).kind)));
  });

  test.each([
    ["Loading passive tree data...", "noise"],
    ["", "noise"],
    ["[1,2]", "noise"],
    ['{"ok":true}\r', "message"],
    ['  {"ok":true}', "message"],
    ["{ok: true}", "garbled"],
  ])("%j is %s", (text, kind) => {
    expect(readLine(bytes(text)).kind).toBe(kind);
  });

  test("with bytes that are no UTF-8 is refused, not repaired", () => {
    const line = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(readLine(line)).toMatchObject({ kind: "garbled", why: "not UTF-8" });
  });

  test("is shown without control characters", () => {
    expect(readLine(bytes("\u001b[31mred\u0007"))).toEqual({ kind: "noise", text: "[31mred" });
  });
});

describe("memory of output", () => {
  test("a ring keeps exactly the last bytes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 30 })),
        fc.integer({ min: 1, max: 40 }),
        (chunks, capacity) => {
          const ring = createByteRing(capacity);
          for (const chunk of chunks) ring.push(Buffer.from(chunk));
          expect(ring.text()).toBe(chunks.join("").slice(-capacity));
          expect(ring.total()).toBe(chunks.join("").length);
        },
      ),
    );
  });

  test("noise is counted, and its last lines kept", () => {
    const log = createNoiseLog(2);
    for (const text of ["a", "b", "c"]) log.add(text);
    expect([log.count, log.last]).toEqual([3, ["b", "c"]]);
  });
});
