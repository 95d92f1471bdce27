/** Log messages of upstreams: bounded in number and length, and never cut without a word. */
import type { LogMessage } from "@fairlead/kernel/service";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedLog } from "./bounded-log.ts";
import { cutText } from "./cut-text.ts";

const hear = (level: LogMessage["level"] = "debug") => {
  const heard: LogMessage[] = [];
  return { heard, log: boundedLog({ level, send: (message) => heard.push(message) }, "up") };
};

describe("a log of one call", () => {
  it("names the upstream, and passes data on as it is", () => {
    const { heard, log } = hear();
    log.send({ level: "info", data: { step: 1 } });
    log.send({ level: "error", logger: "db\u202e", data: "lost" });
    expect(heard).toEqual([
      { level: "info", logger: "up", data: { step: 1 } },
      { level: "error", logger: "up/db", data: "lost" },
    ]);
  });

  it("says once that there were more than it takes", () => {
    const { heard, log } = hear();
    for (let at = 0; at < 3_000; at += 1) log.send({ level: "debug", data: at });
    expect(heard).toHaveLength(1_001);
    expect(heard.at(-1)).toEqual({ level: "warning", logger: "up", data: "more than 1000 messages: the rest is cut" });
  });

  it("counts what the client wants to hear alone, and says at a level that it wants that the rest is cut", () => {
    const { heard, log } = hear("error");
    for (let at = 0; at < 1_500; at += 1) log.send({ level: "debug", data: at });
    log.send({ level: "error", data: "lost" });
    expect(heard).toEqual([{ level: "error", logger: "up", data: "lost" }]);
    for (let at = 0; at < 1_500; at += 1) log.send({ level: "critical", data: at });
    expect(heard).toHaveLength(1_001);
    expect(heard.at(-1)).toMatchObject({ level: "error", data: expect.stringContaining("the rest is cut") });
  });

  it("cleans all texts of an object, its names included", () => {
    const { heard, log } = hear();
    log.send({ level: "info", data: { "a\u202e": ["\u001b[31mred", { b: "x\u200by\n" }], n: 1, t: true, none: null } });
    expect(heard[0]?.data).toEqual({ a: ["[31mred", { b: "xy\n" }], n: 1, t: true, none: null });
  });

  it("cuts what is too long, and says what it was cut from", () => {
    const { heard, log } = hear();
    log.send({ level: "info", data: { list: "x".repeat(20_000) } });
    expect(String(heard[0]?.data)).toMatch(/^\{"list":"xxx.*… \(cut: 20011 characters\)$/);
  });
});

describe("a text that is cut", () => {
  it("has no more characters than it may, and says how many there were", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 61, max: 300 }), (text, longest) => {
        const cut = cutText(text, longest);
        expect(cut.length).toBeLessThanOrEqual(longest);
        if (text.length <= longest) expect(cut).toBe(cutText(text, 1_000));
        else if (cut.includes("cut:")) expect(cut).toMatch(/… \(cut: \d+ characters\)$/);
      }),
    );
  });
});
