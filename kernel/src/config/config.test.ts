import { secretTexts } from "@fairlead/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { configSchema, readConfig } from "./config.ts";

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
    expect(refusal({ file: { tokens: [{ name: "a", sha256: "short" }] } })).toMatchObject({
      issues: [{ path: "tokens[0].sha256" }],
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

  it("names the key that was meant at any depth", () => {
    expect(refusal({ file: { log: { levl: "info" } } })).toMatchObject({
      issues: [{ path: "log.levl", fix: "did you mean level?" }],
    });
    expect(refusal({ file: { gen: { contrcts: ["x"] } } })).toMatchObject({
      issues: [{ path: "gen.contrcts", fix: "did you mean contracts?" }],
    });
    expect(refusal({ file: { gen: { contracts: 5 } } })).toMatchObject({ issues: [{ path: "gen.contracts" }] });
    const token = { name: "a", sha256: "0".repeat(64), acces: ["read"] };
    expect(refusal({ file: { tokens: [token] } })).toMatchObject({
      issues: [{ path: "tokens[0].acces", fix: "did you mean access?" }],
    });
  });

  it("takes numbers from the environment as they are written, and keeps what stands beside them", () => {
    for (const FAIRLEAD_PORT of ["", "0x50", " 80", "1e3", "80.5", "65536"])
      expect(refusal({ env: { FAIRLEAD_PORT } })).toMatchObject({ issues: [{ path: "FAIRLEAD_PORT" }] });
    expect(readConfig({ env: { FAIRLEAD_LAG_MS: "0.5" } }).lagMs).toBe(0.5);
    const file = { otlp: { url: "http://a.example", headers: { "x-key": "v" } } };
    expect(readConfig({ file, env: { FAIRLEAD_OTLP_URL: "http://b.example" } }).otlp).toEqual({
      url: "http://b.example",
      headers: { "x-key": "v" },
    });
    const headers = { otlp: { headers: { "x-key": "v" } } };
    expect(readConfig({ file: headers, env: { FAIRLEAD_OTLP_URL: "http://b.example" } }).otlp?.headers).toEqual({
      "x-key": "v",
    });
    expect(refusal({ file: headers })).toMatchObject({ issues: [{ path: "otlp.url" }] });
  });

  it.each([
    ["FAIRLEAD_PORT", "many", "a whole number from 0 to 65535"],
    ["FAIRLEAD_LAG_MS", "0", "milliseconds, more than 0"],
    ["FAIRLEAD_LOG_LEVEL", "loud", "debug, info, warn or error"],
    ["FAIRLEAD_OTLP_URL", "collector", "an address, like http://127.0.0.1:4318"],
    ["FAIRLEAD_ORIGINS", "app.example.com", "origins with commas between them, like https://app.example.com"],
    ["FAIRLEAD_HOST", "", "an address to bind, like 127.0.0.1"],
  ])("names %s, its value and what it may be", (path, value, expected) => {
    const issue = { path, expected, fix: `replace ${JSON.stringify(value)}` };
    expect(refusal({ env: { [path]: value } })).toMatchObject({ issues: [issue] });
  });

  it("reports what is wrong in every place at once, also where another place overrides it", () => {
    const file = { port: "many", log: { levl: "info" }, otlp: 5 };
    const env = { FAIRLEAD_PORT: "more", FAIRLEAD_LOG_LEVEL: "warn", FAIRLEAD_OTLP_URL: "http://a.example" };
    const { issues } = refusal({ file, env, flags: { port: 1 } }) as { readonly issues: readonly { path: string }[] };
    expect(issues.map(({ path }) => path)).toEqual(["FAIRLEAD_PORT", "port", "log.levl", "otlp"]);
  });

  it.each(["", "local", "service:rules", "a b", "x".repeat(61)])("takes no token that is named %j", (name) => {
    expect(refusal({ file: { tokens: [{ name, sha256: "0".repeat(64) }] } })).toMatchObject({
      issues: [{ path: "tokens[0].name" }],
    });
  });

  it("takes two tokens of one name only where they are one caller's", () => {
    const token = { name: "a", sha256: "0".repeat(64) };
    const next = { ...token, sha256: "1".repeat(64) };
    expect(readConfig({ file: { tokens: [token, next] } }).tokens).toHaveLength(2);
    const other = { ...next, access: ["read"] };
    expect(refusal({ file: { tokens: [token, other] } })).toMatchObject({ issues: [{ path: "tokens[1].name" }] });
  });
});

/** The texts of a JSON Schema whose path says that they are a secret; `isMarked`: there is a mark on the way. */
const secretFields = (schema: unknown, path = "", isMarked = false): readonly { path: string; isMarked: boolean }[] => {
  if (typeof schema !== "object" || schema === null) return [];
  const { type, properties, ...rest } = schema as Readonly<Record<string, unknown>>;
  const marked = isMarked || rest["x-secret"] === true;
  const isNamed = /(?:secret|password|token|key|headers)$/i.test(path);
  const inside = Object.entries(properties ?? {}).flatMap(([name, field]) =>
    secretFields(field, `${path}.${name}`, marked),
  );
  const around = Object.values(rest)
    .flat()
    .flatMap((each) => secretFields(each, path, marked));
  return [...(type === "string" && isNamed ? [{ path, isMarked: marked }] : []), ...inside, ...around];
};

it("marks each setting whose name says that it is a secret", () => {
  const schema = z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" });
  const found = secretFields(schema);
  expect(new Set(found.map(({ path }) => path))).toEqual(new Set([".identity.client.secret", ".otlp.headers"]));
  expect(found.filter(({ isMarked }) => !isMarked)).toEqual([]);
  const client = { id: "introspector", secret: "a secret of the introspector" };
  const identity = { issuer: "https://login.example.com", scopes: {}, client };
  expect(secretTexts(configSchema, readConfig({ flags: { identity } }))).toEqual([client.secret]);
});
