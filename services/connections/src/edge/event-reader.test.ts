/** Any text, cut anywhere, has the events that the specification's own words find in the whole. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventReader, type ServerEvent } from "./event-reader.ts";

/** The specification, word by word, for a text that is there as a whole. */
const plain = (text: string) => {
  const events: ServerEvent[] = [];
  let [data, type]: [string[], string] = [[], ""];
  let [id, lastId, retryMs]: [string | undefined, string | undefined, number | undefined] = [
    undefined,
    undefined,
    undefined,
  ];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  for (const line of lines.slice(0, -1)) {
    const [, field = line, value = ""] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    if (line === "") {
      lastId = id ?? lastId;
      if (data.length > 0) events.push({ type, data: data.join("\n") });
      [data, type, id] = [[], "", undefined];
    } else if (field === "data") data.push(value);
    else if (field === "event") type = value;
    else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) retryMs = Number(value);
  }
  return { events, lastId, retryMs };
};

const piece = fc.oneof(
  fc.constantFrom(
    "data",
    "event",
    "id",
    "retry",
    ":",
    ": ",
    " ",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\uFEFF",
    "\0",
    "123",
    "",
  ),
  fc.string({ maxLength: 5, unit: "binary" }),
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

const read = (pieces: readonly string[]) => {
  const reader = new EventReader();
  const events = pieces.flatMap((each) => reader.push(each));
  return { reader, found: { events, lastId: reader.lastId, retryMs: reader.retryMs } };
};

const cut = (whole: string, places: readonly number[]): readonly string[] => {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, whole.length].map((end, at) => whole.slice(ends[at - 1] ?? 0, end));
};

describe("a reader of events", () => {
  it("finds in any pieces what is in the whole", () => {
    const given = fc.tuple(text, fc.array(fc.nat({ max: 200 }), { maxLength: 12 }));
    fc.assert(
      fc.property(given, ([whole, places]) => {
        expect(read(cut(whole, places)).found).toEqual(plain(whole));
      }),
      { numRuns: 5_000 },
    );
  });

  it("finds it character by character, too", () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(read(whole.split("")).found).toEqual(plain(whole));
      }),
      { numRuns: 2_000 },
    );
  });

  it("counts what has not ended, and nothing else", () => {
    const reader = new EventReader();
    reader.push("data: one\n\ndata: tw");
    expect(reader.unfinished).toBe(8);
    reader.push("o\ndata: three\n");
    expect(reader.unfinished).toBe(20);
    reader.push("\n: a comment\n");
    expect(reader.unfinished).toBe(0);
  });
});
