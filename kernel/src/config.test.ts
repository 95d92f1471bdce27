import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

const refusal = (sources: Parameters<typeof readConfig>[0]): unknown => {
  try {
    readConfig(sources);
  } catch (cause) {
    return cause;
  }
  throw new Error("was accepted");
};

describe("configuration", () => {
  it("has defaults, then file, environment and flags on top", () => {
    expect(readConfig({})).toMatchObject({ host: "127.0.0.1", port: 5_099, tokens: [], log: { level: "info" } });
    expect(readConfig({ file: { port: 1 }, env: { FAIRLEAD_PORT: "2" } }).port).toBe(2);
    expect(readConfig({ file: { port: 1 }, env: { FAIRLEAD_PORT: "2" }, flags: { port: 3 } }).port).toBe(3);
  });

  it("refuses an unknown key and names the one that was meant", () => {
    expect(refusal({ file: { prot: 1 } })).toMatchObject({
      code: "invalid_argument",
      issues: [{ path: "prot", fix: "did you mean port?" }],
    });
    expect(refusal({ env: { FAIRLEAD_PROT: "1" } })).toMatchObject({
      issues: [{ path: "FAIRLEAD_PROT", fix: "did you mean FAIRLEAD_PORT?" }],
    });
  });

  it("refuses a wrong value with its path, whatever it is", () => {
    expect(refusal({ env: { FAIRLEAD_PORT: "many" } })).toMatchObject({ issues: [{ path: "port" }] });
    expect(refusal({ file: { tokens: [{ name: "a", sha256: "short" }] } })).toMatchObject({
      issues: [{ path: "tokens.0.sha256" }],
    });
    fc.assert(
      fc.property(fc.anything(), (file) => {
        try {
          readConfig({ file });
        } catch (cause) {
          expect(cause).toMatchObject({ name: "FairleadError", code: "invalid_argument" });
        }
      }),
    );
  });
});
