/** `rules.classify` while the Messages API fails in every way it can, and while the deadline passes or the caller gives up. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  classifyError,
  dice,
  game,
  openClassifier,
  outcome,
  playerInput,
  soon,
  stabs,
} from "../testing/classify-call.ts";
import { limited, overloaded, type ScriptedReply } from "../testing/messages-api-script.ts";

/** Its first import takes a while, which is not a part of any deadline here. */
beforeAll(() => import("@anthropic-ai/sdk"));

describe("faults of the API", () => {
  const retried: readonly (readonly [string, readonly ScriptedReply[], number])[] = [
    ["429 with retry-after-ms", [limited(soon), stabs], 2],
    ["429 with retry-after in seconds", [limited({ "retry-after": "0.01" }), stabs], 2],
    ["529 twice", [overloaded(soon), overloaded(soon), stabs], 3],
    ["408", [{ kind: "status", status: 408, type: "timeout_error", headers: soon }, stabs], 2],
    ["409", [{ kind: "status", status: 409, type: "conflict_error", headers: soon }, stabs], 2],
    ["503", [{ kind: "status", status: 503, type: "api_error", headers: soon }, stabs], 2],
    [
      "400 with x-should-retry",
      [
        { kind: "status", status: 400, type: "invalid_request_error", headers: { ...soon, "x-should-retry": "true" } },
        stabs,
      ],
      2,
    ],
    ["500", [{ kind: "status", status: 500, type: "api_error", headers: soon }, stabs], 2],
    ["a closed socket", [{ kind: "close" }, stabs], 2],
  ].map(([name, answers, sent]) => [name, answers, sent] as [string, ScriptedReply[], number]);

  test.each(retried)("%s, then success", async (_, answers, sent) => {
    const { parsed, classifier, model } = await outcome(answers);
    expect(parsed.checkType).toBe("Rapier Attack");
    expect(classifier.attempts).toBe(sent);
    expect(model.requests.map(({ retryCount }) => retryCount)).toEqual(Array.from({ length: sent }, (_value, n) => n));
    expect(new Set(model.requests.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test("overload without end is a declared error, after the retries that are configured", async () => {
    const { code, reason, data, hint, model } = await classifyError([overloaded(soon)]);
    expect({ code, reason, data }).toEqual({
      code: "unavailable",
      reason: "model_unavailable",
      data: { status: 529, attempts: 3, retryAfterMs: 1 },
    });
    expect(hint).toMatch(/later/);
    expect(model.requests).toHaveLength(3);
  });

  test("a wait longer than the deadline is not waited for", async () => {
    const { reason, data, model } = await classifyError([limited({ "retry-after": "3600" })]);
    expect({ reason, data }).toEqual({
      reason: "model_unavailable",
      data: { status: 429, attempts: 1, retryAfterMs: 3_600_000 },
    });
    expect(model.requests).toHaveLength(1);
  });

  test("a body that ends inside its JSON is not an answer", async () => {
    expect(await classifyError([{ kind: "torn" }])).toMatchObject({
      reason: "model_unavailable",
      data: { status: 0, attempts: 1 },
    });
    expect(await classifyError([{ kind: "body", body: '{"content": [' }])).toMatchObject({
      reason: "model_unavailable",
    });
  });

  test.each([
    [400, "invalid_request_error", /message/],
    [401, "authentication_error", /ANTHROPIC_API_KEY/],
    [402, "billing_error", /billing/],
    [403, "permission_error", /ANTHROPIC_API_KEY/],
    [404, "not_found_error", /classifier.model/],
    [412, "invalid_request_error", /message/],
    [413, "request_too_large", /fewer/],
    [422, "invalid_request_error", /message/],
  ])("%i is refused once, with what to do", async (status, type, fix) => {
    const { code, reason, data, hint, model } = await classifyError([{ kind: "status", status, type }]);
    expect({ code, reason, data }).toEqual({
      code: "failed_precondition",
      reason: "model_rejected",
      data: { status, type, requestId: "req_000001" },
    });
    expect(hint).toMatch(fix);
    expect(model.requests).toHaveLength(1);
  });
});

/** Deadlines, timeouts and pauses pass only as the test lets them; the sockets are real. */
const holdTime = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
};

/** Resolves once the head of the first answer has reached the client. */
const watchHead = () => {
  const fetching = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => fetching.mockRestore());
  return async (): Promise<void> => {
    const [first] = fetching.mock.results;
    expect(first?.type).toBe("return");
    await first?.value;
  };
};

/** Milliseconds of the SDK's first pause, at most; less than a try may take. */
const longestPause = 500;

describe("the deadline and the caller reach the model", () => {
  test.each([["silent"], ["slow"]] as const)("a %s model is left at the deadline", async (kind) => {
    const { model, kernel } = await openClassifier([{ kind }]);
    holdTime();
    const head = watchHead();
    const reply = kernel.call("rules.classify", { game, playerInput }, { timeoutMs: 2_500 });
    await model.waitForRequests(1);
    if (kind === "slow") await head();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await reply).toMatchObject({ ok: false, error: { code: "deadline_exceeded" } });
    await model.abandoned;
    expect(model.requests).toHaveLength(1);
  });

  test("a try that takes too long is tried again", async () => {
    const { model, kernel } = await openClassifier([{ kind: "silent" }, stabs], { timeoutMs: 2_000 });
    holdTime();
    const reply = kernel.call("rules.classify", { game, playerInput, dice });
    await model.waitForRequests(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await model.abandoned;
    await vi.advanceTimersByTimeAsync(longestPause);
    expect(await reply).toMatchObject({ ok: true, value: { classifier: { attempts: 2 } } });
    expect(model.requests.map(({ retryCount }) => retryCount)).toEqual([0, 1]);
  });

  test("a caller who gives up closes the request", async () => {
    const { model, kernel } = await openClassifier([{ kind: "silent" }]);
    const controller = new AbortController();
    const reply = kernel.call("rules.classify", { game, playerInput }, { signal: controller.signal });
    await model.waitForRequests(1);
    controller.abort();
    expect(await reply).toMatchObject({ ok: false, error: { code: "canceled" } });
    await model.abandoned;
  });
});

test("a caller who gives up in a pause between tries is not asked for again", async () => {
  const { model, kernel } = await openClassifier([limited({ "retry-after": "20" })]);
  const controller = new AbortController();
  const head = watchHead();
  const reply = kernel.call("rules.classify", { game, playerInput }, { signal: controller.signal });
  await model.waitForRequests(1);
  await head();
  controller.abort();
  expect(await reply).toMatchObject({ ok: false, error: { code: "canceled" } });
  expect(model.requests).toHaveLength(1);
});
