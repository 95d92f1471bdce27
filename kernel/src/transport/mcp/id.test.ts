import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idIn } from "./id.ts";

describe("idIn", () => {
  it("finds the id of the message, not one of its arguments", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 0 }), fc.stringMatching(/^[\w-]{1,40}$/)),
        fc.jsonValue({ maxDepth: 4 }),
        fc.boolean(),
        (id, params, first) => {
          const message = first
            ? { jsonrpc: "2.0", id, params: { id: "other", params } }
            : { params: { id: "other", params }, id, jsonrpc: "2.0" };
          expect(idIn(JSON.stringify(message))).toBe(id);
        },
      ),
    );
  });

  it("survives whatever it is given, in linear time", () => {
    fc.assert(fc.property(fc.string(), (text) => void idIn(text)));
    expect(idIn(`{"a":${"[".repeat(2_000_000)}`)).toBeNull();
    expect(idIn(`{"id":7,"params":${"[".repeat(2_000_000)}`)).toBe(7);
    expect(idIn(`{"id":"${"\\".repeat(1_000_000)}`)).toBeNull();
    expect(idIn('"id":1}')).toBeNull();
  });
});
