import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type SseEvent, sseParser } from "./sse.ts";

const parse = (...pieces: string[]): SseEvent[] => {
  const parser = sseParser();
  return pieces.flatMap((piece) => [...parser.push(piece)]);
};

describe("an event stream", () => {
  test.each<[string, string, SseEvent[]]>([
    ["one event", "data: a\n\n", [{ event: "message", data: "a" }]],
    ["data over several lines", "data: a\ndata:b\ndata\n\n", [{ event: "message", data: "a\nb\n" }]],
    ["a named event with an id", "event: x\nid: 7\ndata: a\n\n", [{ event: "x", data: "a", id: "7" }]],
    [
      "an id that stays until it changes",
      "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
      [
        { event: "message", data: "a", id: "1" },
        { event: "message", data: "b", id: "1" },
        { event: "message", data: "c" },
      ],
    ],
    ["an id with NUL, which is ignored", "id: a\0b\ndata: a\n\n", [{ event: "message", data: "a" }]],
    ["comments and unknown fields", ": hello\nretry: 5\nfoo: bar\ndata: a\n\n", [{ event: "message", data: "a" }]],
    ["only one leading space removed", "data:  a\n\n", [{ event: "message", data: " a" }]],
    ["nothing for an event without data", "event: x\n\nid: 3\n\n", []],
    ["nothing for an unfinished event", "data: a\n", []],
    ["a byte order mark", "\uFEFFdata: a\n\n", [{ event: "message", data: "a" }]],
    [
      "carriage returns",
      "data: a\r\rdata: b\r\n\r\n",
      [
        { event: "message", data: "a" },
        { event: "message", data: "b" },
      ],
    ],
  ])("gives %s", (_, text, events) => {
    expect(parse(text)).toEqual(events);
  });

  const line = fc.oneof(
    fc.constantFrom(
      "data: x",
      "data",
      "data:  y",
      "event: tick",
      "event",
      "id: 1",
      "id",
      "id: \0",
      ": note",
      "retry: 3",
      "",
    ),
    fc.string({ unit: fc.constantFrom("a", ":", " ", "é", "\uFEFF", "\0") }),
  );
  const text = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")))
    .map((lines) => lines.map((pair) => pair.join("")).join(""));

  test("does not depend on how it is cut", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(40)), (whole, cuts) => {
        const pieces: string[] = [];
        let rest = whole;
        for (const cut of cuts) {
          pieces.push(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        expect(parse(...pieces, rest)).toEqual(parse(whole));
      }),
    );
  });

  test("brings back what was written, whatever the line ending", () => {
    const event = fc.record({
      event: fc.stringMatching(/^[a-z]{1,9}$/),
      data: fc.string({ unit: fc.constantFrom("a", "\n", ":", " ", "ü", "\uFEFF", "{") }),
      id: fc.stringMatching(/^[0-9]{1,5}$/),
    });
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom("\n", "\r", "\r\n"), (events, end) => {
        const written = events.map(({ event: name, data, id }) =>
          [`event: ${name}`, `id: ${id}`, ...data.split("\n").map((part) => `data: ${part}`), "", ""].join(end),
        );
        expect(parse(written.join(""))).toEqual(events);
      }),
    );
  });

  test("never throws, and holds back no more than it was given", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (pieces) => {
        const parser = sseParser();
        for (const piece of pieces) parser.push(piece);
        expect(parser.pending).toBeLessThanOrEqual(pieces.join("").length);
      }),
    );
  });
});
