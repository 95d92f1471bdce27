/** Which names are redacted, and what a host may say about it. */
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect, member } from "../host.ts";
import { createRedaction, maskText } from "./redaction.ts";

let open: InspectionHandle | undefined;
afterEach(() => open?.close());

test("names are split into words, and whole words count", () => {
  const { hides } = createRedaction();
  const hidden = [
    "password",
    "dbPassword",
    "DB_PASSWORD",
    "api-key",
    "apiKey",
    "APIKey",
    "x-api-key",
    "set-cookie",
    "#token",
    "passWord",
    "PassWord",
    "pass_word",
    "accesskey",
    "accessKeys",
    "access keys",
    "myPrivatekey",
    "privatekeys",
    "apikey",
    "apikeys",
    "connectionstring",
    "connectionStrings",
    "DATABASE_URLS",
    "databaseurl",
  ];
  const open = [
    "passwordless",
    "tokenizer",
    "secretary",
    "key",
    "api",
    "cookiecutter",
    "author",
    "keyApi",
    "accessKeyless",
    "map_keys",
    "",
  ];
  for (const name of hidden) expect([name, hides(name)]).toEqual([name, true]);
  for (const name of open) expect([name, hides(name)]).toEqual([name, false]);
});

test("a host adds names and patterns, lets names pass, or has none of the defaults", () => {
  const own = createRedaction({ names: ["bank account"], patterns: ["iban*"], pass: ["maxTokens", "csrf*"] });
  for (const name of ["bankAccount", "BANK_ACCOUNT_2", "ibanOfAnn", "tokens"]) expect(own.hides(name)).toBe(true);
  for (const name of ["maxTokens", "csrfToken", "bank", "myIban"]) expect(own.hides(name)).toBe(false);
  expect(createRedaction({ defaults: false }).hides("password")).toBe(false);
  expect(createRedaction().hidesMember(process.env, "PATH")).toBe(true);
  expect(createRedaction({ pass: ["PATH"] }).hidesMember(process.env, "PATH")).toBe(false);
  expect(createRedaction({ defaults: false }).hidesMember(process.env, "PATH")).toBe(false);
});

test("credentials that show by their form are masked in texts, in time linear in the text", () => {
  expect(maskText("mysql://root:a:b@h/db and https://x.example/")).toBe("mysql://root:…@h/db and https://x.example/");
  expect(maskText("Bearer abcdef.ghi-jk, Basic YWJjOmRlZg==")).toBe("Bearer …, Basic …");
  expect(maskText("bearer abcdef.ghi-jk, BASIC YWJjOmRlZg==")).toBe("bearer …, BASIC …");
  expect(maskText("mysql://u:pa@ss@h/db,mysql://v:pass@h")).toBe("mysql://u:…@h/db,mysql://v:…@h");
  expect(maskText(`mysql://${"u".repeat(300)}:${"p".repeat(3_000)}@h`)).toBe(`mysql://${"u".repeat(300)}:…@h`);
  const long = `${"a://".repeat(20_000)}:${"Bearer ".repeat(20_000)}`;
  expect(maskText(long).length).toBeGreaterThan(0);
});

test("a credential that is cut off is masked all the same", () => {
  for (const times of [20, 600]) {
    open = inspect({ text: `${"x".repeat(3_980)} a://user:${"s3cret".repeat(times)}@host ${"y".repeat(100)}` });
    const reply = open.ask("eval", { expr: "text" });
    expect(JSON.stringify(reply)).not.toContain("s3c");
  }
});

test("keys and names of members are masked like texts, and so is the way to what they lead to", () => {
  const address = (user: string) => `postgres://${user}:s3cret@h/db`;
  const inner = { n: 1 };
  open = inspect({
    map: new Map([[address("u"), inner]]),
    data: {
      [address("u")]: { inner },
      [address("v")]: inner,
      [address("v").replace("s3", "other s3")]: inner,
      get [address("w")]() {
        return 1;
      },
    },
    twins: { [address("u")]: 1, [address("u").replace("s3", "0")]: 2 },
  });
  const value = { key: "postgres://u:…@h/db", expr: "map.Values[0]", members: [{ expr: "map.Values[0].n" }] };
  expect(open.ask("explore", { target: "map", depth: 2 })).toMatchObject({ value: { items: [value] } });
  expect(open.ask("eval", { expr: "map.Values[0].n" })).toMatchObject({ value: 1 });
  expect(open.ask("eval", { expr: "twins", depth: 1 })).toMatchObject({
    value: { "postgres://u:…@h/db": 1, "postgres://u:…@h/db #2": 2 },
  });
  for (const target of ["", "map", "data", "twins"])
    for (const depth of [1, 3]) expect(JSON.stringify(open.ask("explore", { target, depth }))).not.toMatch(/:s3cret/);
  const shown = open.ask("explore", { target: "data", depth: 3 });
  expect(shown).toMatchObject({ value: { members: [{ name: "postgres://u:…@h/db", type: "Object" }, {}, {}, {}] } });
  expect(JSON.stringify(open.ask("eval", { expr: "new (map as a, data as b)", depth: 6 }))).not.toMatch(/:s3cret/);
});

test("a declared map with a redacted entry says so where its values are used, and is of use beside them", () => {
  class Box {
    readonly headers = new Map([
      ["x-id", "7"],
      ["Authorization", "s3cret"],
    ]);
  }
  const members = [member("headers", "Dictionary<String, String>")];
  open = inspect({ box: new Box() }, { types: [{ name: "Box", kind: "class", constructs: Box, members }] });
  for (const expr of ["Where(Value != null)", "Select(Value)", "Values.Last()", "Values.ToList()", "Last()"])
    expect([expr, open.ask("eval", { expr: `box.headers.${expr}` })]).toMatchObject([
      expr,
      { problem: { code: "redacted", message: expect.stringContaining("'Authorization'") } },
    ]);
  expect(open.ask("eval", { expr: 'box.headers["x-id"]' })).toMatchObject({ value: "7" });
  expect(open.ask("eval", { expr: "box.headers.Keys.Count()" })).toMatchObject({ value: 2 });
  expect(open.ask("eval", { expr: "box.headers.First().Value" })).toMatchObject({ value: "7" });
  expect(open.ask("eval", { expr: "box.headers", depth: 1 })).toMatchObject({
    value: { entries: { "x-id": "7", Authorization: { $redacted: "string" } } },
  });
});

test("private members can be denied, and the refusal names the setting", () => {
  class Box {
    readonly open = 1;
    readonly #inside = 2;
    peek(): number {
      return this.#inside;
    }
  }
  const members = [member("open", "Int32"), member("_cache", "Int32", { access: "private", read: () => 3 })];
  const types = [{ name: "Box", kind: "class", constructs: Box, members }] as const;
  open = inspect({ box: new Box() }, { types, privateMembers: "denied" });
  expect(open.ask("explore", { target: "box" })).toMatchObject({
    value: { members: [{ name: "open" }], hint: expect.stringContaining("privateMembers") },
  });
  expect(open.ask("explore", { target: "type:Box" })).toMatchObject({ value: { members: [{ name: "open" }] } });
  expect(open.ask("eval", { expr: "box._cache" })).toMatchObject({
    problem: { code: "not_readable", message: expect.stringContaining("privateMembers") },
  });
  open = inspect({ box: new Box() }, { types });
  expect(open.ask("eval", { expr: "box._cache" })).toMatchObject({ value: 3 });
});
