/** The key is sent to the Messages API and nowhere else: no log line, no error, no answer and no `info` holds it. */
import { expect, onTestFinished, test } from "vitest";
import { buildGame } from "../testing/case.ts";
import { stabs } from "../testing/classify-call.ts";
import { fakeApiKey, startFakeMessagesApi } from "../testing/messages-api.ts";
import { limited, overloaded, type ScriptedReply } from "../testing/messages-api-script.ts";
import { createChoosing, createClassifier } from "./classify.ts";
import { classifierInfo, readAccess, rulesConfig } from "./settings.ts";

const soon = { "retry-after-ms": "1" };
const endings: readonly (readonly [string, readonly ScriptedReply[]])[] = [
  ["an answer", [stabs]],
  ["429, then an answer", [limited(soon), stabs]],
  ["529 without end", [overloaded(soon)]],
  ["a closed socket without end", [{ kind: "close" }]],
  ["a torn body", [{ kind: "torn" }]],
  ["a refusal of the key", [{ kind: "status", status: 401, type: "authentication_error" }]],
  [
    "a refusal that repeats the key",
    [{ kind: "status", status: 401, type: "authentication_error", message: `no such key: ${fakeApiKey}` }],
  ],
];

test.each(endings)("%s", async (_, answers) => {
  const model = await startFakeMessagesApi([{ when: "", answers }]);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const said: unknown[] = [];
  const call = {
    signal: new AbortController().signal,
    deadline: Date.now() + 30_000,
    fail: (reason: string, text: object, data: unknown) => Object.assign(new Error(reason), { reason, text, data }),
  };
  const settings = rulesConfig.parse({}).classifier;
  const access = readAccess({ ANTHROPIC_API_KEY: fakeApiKey, ANTHROPIC_BASE_URL: model.url });
  const classify = createClassifier(createChoosing({ settings, access, log: (...line: unknown[]) => said.push(line) }));
  const input = { game: buildGame({ player: { inventory: ["Rapier"], features: [{ name: "Sneak Attack" }] } }, "5.1") };
  const pending = classify(
    { ...input, playerInput: "I stab.", dice: { seed: "s" } },
    call as unknown as Parameters<typeof classify>[1],
  );
  const ended = await pending.catch((thrown: unknown) => describeThrown(thrown));
  expect(model.requests.length).toBeGreaterThan(0);
  expect(model.requests[0]?.headers.authorization).toContain(fakeApiKey);
  expect(JSON.stringify({ said, ended, info: classifierInfo(settings, access) })).not.toContain(fakeApiKey);
});

/** Everything a log could print of an error: its own fields, its stack, and its causes. */
const describeThrown = (thrown: unknown): unknown =>
  thrown instanceof Error
    ? { ...thrown, message: thrown.message, stack: thrown.stack, cause: describeThrown(thrown.cause) }
    : thrown;
