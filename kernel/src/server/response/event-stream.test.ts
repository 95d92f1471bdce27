import fc from "fast-check";
import { expect, test } from "vitest";
import { eventText } from "./event-stream.ts";

/** Reads one event by the rules of the HTML specification, as far as our framing goes. */
const read = (text: string) => {
  const fields = text.split(/\r\n|\r|\n/).filter((line) => line !== "");
  const of = (name: string) =>
    fields.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  return { count: fields.length, event: of("event"), id: of("id"), data: of("data") };
};

test("whatever the data and the id, it is one event", () => {
  const anyText = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(fc.option(anyText, { nil: undefined }), fc.jsonValue({ stringUnit: "binary" }), (id, data) => {
      const text = eventText({ event: "progress", id, data });
      const found = read(text);
      expect(text.endsWith("\n\n")).toBe(true);
      expect(found.event).toEqual(["progress"]);
      expect(found.data).toEqual([JSON.stringify(data)]);
      const isUsable = id !== undefined && id !== "" && !/[\0\r\n]/.test(id);
      expect(found.id).toEqual(isUsable ? [id] : []);
      expect(found.count).toBe(isUsable ? 3 : 2);
    }),
    {
      examples: [
        ["a\ndata: forged", null],
        ["\0", 1],
        [undefined, "\r\n\r\nevent: forged"],
      ],
    },
  );
});

test("what JSON cannot say is null", () => {
  expect(eventText({ data: undefined })).toBe("data: null\n\n");
});
