import { describe, expect, test } from "vitest";
import { sha256, type Token } from "../config/tokens/token.ts";
import { bearer } from "./bearer.ts";

const token = (text: string, more: Partial<Token> = {}): Token => ({
  name: text,
  sha256: sha256(text),
  access: ["read"],
  perSecond: 1_000,
  concurrent: 100,
  ...more,
});

describe("tokens", () => {
  const now = Date.parse("2026-06-01T00:00:00Z");
  const known = [token("one"), token("two", { services: ["rules"], expires: "2026-01-01T00:00:00Z" }), token("three")];
  const who = bearer(
    () => known,
    () => now,
  );

  test("a known token is its principal; scheme in any case", () => {
    expect(who("Bearer three")).toMatchObject({ id: "three", access: ["read"] });
    expect(who("bearer one")?.id).toBe("one");
  });

  test.each([undefined, "", "Bearer", "Bearer ", "Bearer four", "Basic one", "one", "Bearer one two", "Bearer two"])(
    "%s is not a caller",
    (header) => {
      expect(who(header)).toBeUndefined();
    },
  );

  test("several work at once for one caller, until each expires", () => {
    let at = now;
    const list = [
      { ...token("old"), name: "app", expires: "2026-06-01T01:00:00Z" },
      { ...token("new"), name: "app" },
    ];
    const one = bearer(
      () => list,
      () => at,
    );
    expect([one("Bearer old")?.id, one("Bearer new")?.id]).toEqual(["app", "app"]);
    at += 3_600_000;
    expect([one("Bearer old")?.id, one("Bearer new")?.id]).toEqual([undefined, "app"]);
  });

  test("without tokens everyone is local, up to the first; a list that runs empty refuses every caller", () => {
    let list: readonly Token[] = [];
    const one = bearer(
      () => list,
      () => now,
    );
    expect(one(undefined)?.id).toBe("local");
    list = [token("one")];
    expect([one(undefined)?.id, one("Bearer one")?.id]).toEqual([undefined, "one"]);
    list = [];
    expect([one(undefined)?.id, one("Bearer one")?.id]).toEqual([undefined, undefined]);
  });

  test("where tokens were made and revoked with no request between, every caller is refused from then on", () => {
    let mayBeOpen = true;
    let list: readonly Token[] = [];
    const one = bearer(
      () => list,
      () => now,
      () => mayBeOpen,
    );
    expect(one(undefined)?.id).toBe("local");
    mayBeOpen = false;
    list = [];
    expect(one(undefined)).toBeUndefined();
    mayBeOpen = true;
    list = [];
    expect(one(undefined)).toBeUndefined();
  });

  test("where all tokens were revoked before the start, every caller is refused until there is one", () => {
    let list: readonly Token[] = [];
    const tokens = () => list;
    const one = bearer(
      tokens,
      () => now,
      () => false,
    );
    expect(one(undefined)).toBeUndefined();
    list = [token("one")];
    expect(one("Bearer one")?.id).toBe("one");
  });
});
