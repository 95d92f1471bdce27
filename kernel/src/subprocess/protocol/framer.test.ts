import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFramer, type Frame } from "./framer.ts";

const textOf = (frames: readonly Frame[]): readonly string[] =>
  frames.map((frame) =>
    frame.kind === "line" ? Buffer.from(frame.bytes).toString("latin1") : `too long ${frame.bytes}`,
  );

/** Feeds bytes in pieces of the given sizes, over and over. */
const feed = (bytes: Buffer, sizes: readonly number[], cap = 1_000_000) => {
  const framer = createFramer(cap);
  const lines: string[] = [];
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    lines.push(...textOf(framer.push(bytes.subarray(at, at + size))));
    at += size;
  }
  return { lines, unfinished: framer.unfinished() };
};

describe("the framer", () => {
  test("gives the same lines however the bytes are cut", () => {
    const line = fc
      .uint8Array({ maxLength: 60 })
      .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 10 ? 11 : byte))));
    fc.assert(
      fc.property(
        fc.array(line),
        line,
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (lines, rest, sizes) => {
          const bytes = Buffer.concat([...lines.flatMap((one) => [one, Buffer.from("\n")]), rest]);
          expect(feed(bytes, sizes)).toEqual({
            lines: lines.map((one) => one.toString("latin1")),
            unfinished: rest.length,
          });
        },
      ),
    );
  });

  test("reports a line over the cap once, and reads on behind it", () => {
    const line = fc.integer({ min: 0, max: 40 }).map((length) => "x".repeat(length));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (lines, sizes) => {
        const { lines: seen } = feed(Buffer.from(lines.map((one) => `${one}\n`).join("")), sizes, 20);
        expect(seen.map((text) => (text.startsWith("too long") ? "too long" : text))).toEqual(
          lines.map((one) => (one.length > 20 ? "too long" : one)),
        );
      }),
    );
  });

  test("cuts at 0x0A and nothing else", () => {
    expect(feed(Buffer.from('{"a":"\u2028\u2029\r"}\r\n\u0085\n'), [4]).lines).toHaveLength(2);
  });

  test("does not copy a long line again with every chunk", () => {
    const framer = createFramer(64 * 1024 * 1024);
    const chunk = Buffer.alloc(64, "z");
    for (let i = 0; i < 500_000; i++) framer.push(chunk);
    const [frame] = framer.push(Buffer.from("\n"));
    expect(frame?.kind === "line" && frame.bytes.length).toBe(32_000_000);
  });
});
