import { defaultOutputLimits } from "@fairlead/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exceededLimit, findNonJson } from "./output-size.ts";

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe("an answer", () => {
  it("is never refused for bytes that it does not have, nor for levels", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const size = Buffer.byteLength(JSON.stringify(value));
        const depth = depthOf(value);
        expect(exceededLimit(value, { bytes: size, depth })).toBeUndefined();
        if (depth > 0) expect(exceededLimit(value, { bytes: size, depth: depth - 1 })).toBe("depth");
      }),
    );
  });

  it("is refused at the first byte too many, where a character is a byte", () => {
    expect(exceededLimit(["x".repeat(96)], { bytes: 100, depth: 1 })).toBeUndefined();
    expect(exceededLimit(["x".repeat(98)], { bytes: 100, depth: 1 })).toBe("bytes");
    expect(exceededLimit({ a: [1, 2, 3] }, { bytes: 8, depth: 2 })).toBe("bytes");
    expect(exceededLimit({ ["x".repeat(92)]: 1 }, { bytes: 98, depth: 1 })).toBeUndefined();
    expect(exceededLimit({ ["x".repeat(92)]: 1 }, { bytes: 97, depth: 1 })).toBe("bytes");
  });

  it("can be deep without end, or a circle", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    for (const value of [nested(1_000_000), circle])
      expect(exceededLimit(value, { bytes: 1_000, depth: 128 })).toBe("depth");
  });
});

it("may have 128 levels and 16 MiB where its procedure says nothing else", () => {
  expect(defaultOutputLimits).toEqual({ bytes: 16 * 1_048_576, depth: 128 });
  expect(exceededLimit(nested(128), defaultOutputLimits)).toBeUndefined();
  expect(exceededLimit(nested(129), defaultOutputLimits)).toBe("depth");
  expect(exceededLimit("x".repeat(16 * 1_048_576), defaultOutputLimits)).toBe("bytes");
});

it("does not count members that JSON leaves out", () => {
  expect(exceededLimit({ a: undefined }, { bytes: 10, depth: 1 })).toBeUndefined();
  expect(findNonJson({ a: undefined })).toBeUndefined();
  expect(findNonJson([{ at: new Date(0) }])).toMatchObject({ path: "[0].at" });
});
