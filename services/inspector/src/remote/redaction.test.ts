/** A canary in every place where secrets are, and every way out: shown, failed, searched, compared, ordered, counted. It gets out nowhere. */
import { defaultLimits } from "@fairlead/linq/limits";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InspectionHandle, inspect, member } from "../host.ts";
import type { ToolName, ToolReply } from "../protocol/message.ts";
import { runSource } from "../testing/run-source.ts";
import { checkQuestion, createCheckTarget } from "./question.ts";
import { questionSource } from "./question-source.ts";

const canary = "c4n4ry";
const variable = "FAIRLEAD_TEST_CANARY";

class Session {
  readonly id = 1;
  readonly apiKey = canary;
  readonly Passwords = [canary];
  readonly #token = canary;
  login(user: string, password = "c4n4ry", options = { key: "c4n4ry", also: [",", "c4n4ry"] }): unknown {
    return [user, password, options, this.#token];
  }
}

class Account {
  readonly name = "Ann";
  readonly secret = canary;
  readonly inner = canary;
}

const objects = () => ({
  Session: new Session(),
  Account: new Account(),
  Rows: Array.from({ length: 3_000 }, (_, id) => ({
    id,
    name: `n${id}`,
    password: `${canary}${id}`,
    DB_PASSWD: canary,
  })),
  Config: {
    url: `postgres://app:${canary}@db.example/x`,
    header: `Bearer ${canary}${canary}`,
    db: { connectionString: canary, deep: { client_secret: canary } },
    headers: new Map([
      ["Authorization", `Basic ${canary}`],
      ["x-id", "7"],
    ]),
    raw: ["Authorization", `Bearer ${canary}${canary}`],
    env: process.env,
  },
});

const slot = "fairleadRedactedObjects";
let open: InspectionHandle;
beforeAll(() => {
  process.env[variable] = canary;
  const roots = objects();
  Object.assign(globalThis, { [slot]: roots });
  const members = [member("name", "String"), member("secret", "String"), member("Code", "String", { key: "inner" })];
  open = inspect(roots, {
    types: [{ name: "Account", kind: "class", constructs: Account, members }],
    redact: { names: ["inner"] },
  });
});
afterAll(() => {
  open.close();
  Reflect.deleteProperty(process.env, variable);
  Reflect.deleteProperty(globalThis, slot);
});

type Ask = (tool: ToolName, input: Readonly<Record<string, unknown>>) => ToolReply;

const sources: Readonly<Record<string, Ask>> = {
  "roots that a program named": (tool, input) => open.ask(tool, input),
  "roots of another process": (tool, input) => {
    const roots = Object.fromEntries(Object.keys(objects()).map((name) => [name, `${slot}.${name}`]));
    const redact = { names: ["inner"] };
    const target = { ...createCheckTarget(Object.keys(roots), defaultLimits), redact };
    const complete = tool === "explore" ? { includePrivate: true, limit: 50, offset: 0, ...input } : input;
    const question = checkQuestion({ id: 0, tool, input: complete }, target);
    return JSON.parse(runSource(questionSource(question, target, { roots, holdMs: 60_000 }))) as ToolReply;
  },
};

const shown: readonly (readonly [ToolName, object])[] = [
  ...["", "Session", "Account", "Rows", "Rows[0]", "Config", "Config.headers", "Config.env", "Config.raw"].flatMap(
    (target) => [1, 3, 6].map((depth): readonly [ToolName, object] => ["explore", { target, depth }]),
  ),
  ["explore", { target: "search:*token*", depth: 1 }],
  ["explore", { target: "search:*", depth: 1 }],
  ...["Session", "Account", "Config", "Rows.Take(3)", "Config.headers.Values", "Config.headers.First()"].map(
    (expr): readonly [ToolName, object] => ["eval", { expr, depth: 6 }],
  ),
  ["eval", { expr: "Config.headers.Values.First().ToString()", depth: 2 }],
  ["eval", { expr: 'Config.headers.ContainsKey("x-id")', depth: 2 }],
  ["eval", { expr: "new (Config as c, Session as s)", depth: 6 }],
  ["query", { from: "Rows", take: 3 }],
  ["query", { from: "Config.headers" }],
  ["query", { from: "Config.headers", orderBy: "Key", select: "new (Key, Value)" }],
];

const refused: readonly (readonly [ToolName, object])[] = [
  ...[
    "Session.apiKey",
    "Session.APIKEY",
    'Session["apiKey"]',
    "Session.Passwords.Count()",
    "np(Session.apiKey, 1)",
    `Session.apiKey == "${canary}"`,
    "Account.secret.Length",
    "Config.db.connectionString",
    "Config.db.deep.client_secret",
    'Config.headers["Authorization"]',
    "Config.headers.Authorization",
    `Config.env.${variable}`,
    "Config.env.PATH",
    "Rows.Select(password).First()",
    'Rows.Any(password.StartsWith("c"))',
    "Rows.Max(password)",
    "Rows.OrderBy(password).First().id",
    "Rows.GroupBy(DB_PASSWD).Count()",
    'Rows.Aggregate("", (t, r) => t + r.password)',
  ].map((expr): readonly [ToolName, object] => ["eval", { expr, depth: 2 }]),
  ["explore", { target: "Session.apiKey", depth: 1 }],
  ["query", { from: "Rows", where: 'password == "x"' }],
  ["query", { from: "Rows", where: `Password.Contains("${canary}")`, select: "id" }],
  ["query", { from: "Rows", orderBy: "password desc", take: 1, select: "id" }],
  ["query", { from: "Rows", groupBy: "db_passwd" }],
  ["query", { from: "Rows", select: "password", distinct: true }],
  ["query", { from: "Rows", select: "new (id, password)" }],
];

describe.each(Object.entries(sources))("%s", (_, ask) => {
  test.each(shown)("is shown without it: %s %j", (tool, input) => {
    const reply = ask(tool, { ...input });
    expect(reply.ok).toBe(true);
    expect(JSON.stringify(reply).toLowerCase()).not.toContain(canary);
  });

  test.each(refused)("is refused, and says so: %s %j", (tool, input) => {
    const reply = ask(tool, { ...input });
    expect(reply).toMatchObject({
      ok: false,
      problem: { code: "redacted", hint: expect.stringContaining("redact.pass") },
    });
    const { caret: __, ...problem } = "problem" in reply ? reply.problem : { caret: "" };
    expect(JSON.stringify(problem)).not.toContain(canary);
  });

  test("a redacted member has its type", () => {
    expect(ask("explore", { target: "Session", depth: 1 })).toMatchObject({
      value: {
        members: [
          { name: "id", value: 1 },
          { name: "apiKey", type: "string", redacted: true },
          { name: "Passwords", type: "object", redacted: true },
          { name: "#token", type: "string", redacted: true, access: "private" },
        ],
        methods: [{ signature: "login(user, password = …, options = …)" }],
      },
    });
    expect(ask("eval", { expr: "Rows[0]", depth: 1 })).toMatchObject({
      value: { id: 0, name: "n0", password: { $redacted: "string" }, DB_PASSWD: { $redacted: "string" } },
    });
    expect(ask("eval", { expr: "Config.headers", depth: 1 })).toMatchObject({
      value: { entries: { Authorization: { $redacted: "string" }, "x-id": "7" } },
    });
    expect(ask("eval", { expr: "Config.url", depth: 1 })).toMatchObject({ value: "postgres://app:…@db.example/x" });
  });
});

test("a declared member is redacted by its name and by that of its property", () => {
  expect(open.ask("eval", { expr: "Account" })).toMatchObject({
    value: { name: "Ann", secret: { $redacted: "String" }, Code: { $redacted: "String" } },
  });
});
