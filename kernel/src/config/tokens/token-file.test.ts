import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePrivateFolder } from "../../state/private-folder.ts";
import { replaced, sha256, type Token } from "./token.ts";
import { followTokens, readTokens, tokenText, writeTokenText } from "./token-file.ts";

const freshPath = (): string => join(mkdtempSync(join(tmpdir(), "fairlead-tokens-")), "state", "tokens.json");
const writeTokens = (path: string, tokens: readonly Token[]): void => {
  makePrivateFolder(dirname(path));
  writeTokenText(path, tokenText(tokens));
};
const token = (name: string, more: Partial<Token> = {}): Token => ({
  name,
  sha256: sha256(name),
  access: ["read"],
  perSecond: 100,
  concurrent: 20,
  ...more,
});

/** A follower whose clock is moved by hand, and what it logs. */
const following = (path: string, configured: readonly Token[] = []) => {
  let at = 0;
  const logged: string[] = [];
  let found = 0;
  const tokens = followTokens(path, {
    onFile: () => {
      found += 1;
    },
    configured,
    now: () => at,
    log: (level, message) => void logged.push(`${level} ${message}`),
  });
  return {
    tokens,
    hadFile: () => found > 0,
    logged,
    later: () => {
      at += 1_000;
      return tokens();
    },
  };
};

describe("the token file", () => {
  it("is read as it was written, and by its owner alone", () => {
    const path = freshPath();
    expect(readTokens(path)).toEqual([]);
    writeTokens(path, [token("a"), token("b", { services: ["rules"], expires: "2030-01-01T00:00:00Z" })]);
    writeTokens(path, [token("b")]);
    expect(readTokens(path)).toEqual([token("b")]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(path))).toEqual(["tokens.json"]);
  });

  it.each([
    ["no JSON", "{"],
    ["no list", "{}"],
    ["a token itself", JSON.stringify({ tokens: [{ name: "a", token: "secret" }] })],
    ["one name with different rights", JSON.stringify({ tokens: [token("a"), token("a", { access: ["admin"] })] })],
  ])("is refused when it holds %s, without repeating it", (_, text) => {
    const path = freshPath();
    writeTokens(path, []);
    writeFileSync(path, text);
    expect(() => readTokens(path)).toThrow(/of no use/);
    expect(() => readTokens(path)).not.toThrow(/secret/);
  });
});

it("is refused when others may write it", () => {
  const path = freshPath();
  writeTokens(path, [token("a")]);
  chmodSync(path, 0o620);
  expect(() => readTokens(path)).toThrow(/others than its owner/);
});

describe("following it", () => {
  it("takes up what changes, and gives the same list while nothing does", () => {
    const path = freshPath();
    const { tokens, later, logged } = following(path, [token("configured")]);
    expect(tokens().map(({ name }) => name)).toEqual(["configured"]);
    writeTokens(path, [token("a")]);
    expect(tokens().map(({ name }) => name)).toEqual(["configured"]);
    const both = later();
    expect(both.map(({ name }) => name)).toEqual(["configured", "a"]);
    expect(later()).toBe(both);
    rmSync(path);
    expect(later().map(({ name }) => name)).toEqual(["configured"]);
    expect(logged).toEqual(["info the tokens have changed", "info the tokens have changed"]);
  });

  it("knows of tokens that were made and revoked between two looks", () => {
    const path = freshPath();
    const { hadFile, later } = following(path);
    expect(hadFile()).toBe(false);
    writeTokens(path, [token("a")]);
    writeTokens(path, []);
    expect(later()).toEqual([]);
    expect(hadFile()).toBe(true);
    rmSync(path);
    later();
    expect([hadFile(), following(path).hadFile()]).toEqual([true, false]);
  });

  it("keeps what it has when the file breaks, and says so once", () => {
    const path = freshPath();
    writeTokens(path, [token("a")]);
    const { later, logged } = following(path);
    writeFileSync(path, "{");
    expect([later(), later()].map((list) => list.length)).toEqual([1, 1]);
    expect(logged).toEqual([expect.stringMatching(/^error .*stay in force$/)]);
  });

  it("does not begin with a file that is broken, or takes a configured name for another caller", () => {
    const path = freshPath();
    writeTokens(path, [token("a", { access: ["admin"] })]);
    expect(() => following(path, [token("a")])).toThrow(/belongs to the configuration/);
    writeFileSync(path, "{");
    expect(() => following(path)).toThrow(/of no use/);
  });
});

describe("replacing a token", () => {
  const until = Date.parse("2026-06-01T00:00:00Z");

  it("lets the one before it work until then, with the same rights", () => {
    const before = [token("a", { services: ["rules"] }), token("b")];
    expect(replaced(before, "a", { sha256: sha256("new"), until })).toEqual([
      token("a", { services: ["rules"], expires: "2026-06-01T00:00:00.000Z" }),
      token("b"),
      token("a", { services: ["rules"], sha256: sha256("new") }),
    ]);
  });

  it("never makes one live longer", () => {
    const soon = token("a", { expires: "2026-05-01T00:00:00Z" });
    expect(replaced([soon], "a", { sha256: sha256("new"), until })?.[0]).toEqual(soon);
  });

  it("needs one to replace", () => {
    expect(replaced([token("b")], "a", { sha256: sha256("new"), until })).toBeUndefined();
  });
});
