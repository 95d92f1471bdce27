import { afterEach, describe, expect, test } from "vitest";
import { actor, actorInTurn, call, inTurn, lives, start, stopAll, until } from "../../testing/stage.fixture.ts";
import { lineProtocol } from "../protocol/dialect.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const { cancel: _, ...withoutCancel } = inTurn;

afterEach(stopAll);

/** Of a table every fifth row in the quick tier, and all in the long one. */
const sample = <const T extends readonly unknown[]>(rows: readonly T[]): readonly T[] =>
  rows.filter((_, at) => inLongTier || at % 5 === 0);

describe("starting", () => {
  test("gives what the child says of itself", async () => {
    const child = start(actor());
    expect(await child.ready).toEqual({ pid: child.pid });
  });

  test.each([
    [
      "a program that is missing",
      { command: "no-such-program-anywhere" },
      "missing",
      /program no-such-program-anywhere does not exist/,
    ],
    ["a folder that is missing", { cwd: "/no/such/folder" }, "missing", /folder .* does not exist/],
  ])("%s", (_name, more, kind, message) => {
    const spec = actor([], { ...more, hint: "install the actor" });
    expect(() => start(spec)).toThrow(
      expect.objectContaining({
        code: "failed_precondition",
        retryable: false,
        hint: "install the actor",
        fault: expect.objectContaining({ kind }),
        message: expect.stringMatching(message),
      }),
    );
  });

  test.each([
    [
      "exits at once",
      ["start=exit"],
      "exited",
      /exited with code 7 while starting; its last words: "actor: cannot find my script"/,
    ],
    ["says nothing", ["start=mute"], "silent", /no handshake within 500 ms; it printed nothing/],
    ["speaks another version", ["start=old"], "unfit", /it speaks actor version 7, the kernel version 1, 2/],
  ])("a child that %s is diagnosed", async (_name, args, kind, message) => {
    const child = start(actor(args, kind === "silent" ? { startMs: 500 } : {}));
    await expect(child.ready).rejects.toMatchObject({
      fault: { kind },
      sent: false,
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
    await child.ended;
    expect(lives(child.pid)).toBe(false);
  });

  test("a child that prints something else is diagnosed", async () => {
    // A busy machine may need longer until it prints; then it gets more time.
    const diagnose = async (startMs: number): Promise<string> => {
      const failure = await start(actor(["start=rude"], { startMs })).ready.catch((cause: Error) => cause.message);
      expect(failure).toContain(`no handshake within ${startMs} ms`);
      return String(failure).includes("it printed nothing") ? diagnose(2 * startMs) : String(failure);
    };
    expect(await diagnose(500)).toContain('it printed "Usage: actor [options]"');
  });

  test("a child that speaks another protocol is refused", async () => {
    const child = start(actor([], { dialect: lineProtocol({ protocol: "lua", versions: [1] }) }));
    await expect(child.ready).rejects.toThrow(/it speaks the protocol "actor", not "lua"/);
  });

  test("a slow start is waited for, its noise kept apart", async () => {
    const child = start(actor(["start=slow", "ms=200"]));
    await child.ready;
    expect(child.diagnostics()).toMatchObject({ noise: 1, lastNoise: ["booting"] });
  });

  test("the environment is what was allowed, the arguments what was given", async () => {
    process.env.HIDDEN_FROM_CHILDREN = "hidden";
    const child = start(
      actor(["; echo $HOME", "a b"], { cwd: "/usr", env: { pass: ["NO_SUCH"], set: { MINE: "1" } } }),
    );
    const { value } = await child.ask(call("environment"));
    expect(value).toMatchObject({
      cwd: "/usr",
      args: ["; echo $HOME", "a b"],
      env: { MINE: "1", PATH: process.env.PATH },
    });
    expect(JSON.stringify(value)).not.toContain("hidden");
  });
});

describe("requests by id", () => {
  test("are answered each with its own, out of order", async () => {
    const child = start(actor());
    await child.ready;
    const marks = Array.from({ length: 50 }, (_, mark) => mark);
    const values = await Promise.all(
      marks.map(async (mark) => (await child.ask(call("late", { mark, ms: (mark * 7) % 23 }))).value),
    );
    expect(values).toEqual(marks);
  });

  test("one that is given up does not disturb the others, and its late answer is dropped", async () => {
    const child = start(actor());
    await child.ready;
    const stop = new AbortController();
    const givenUp = child.ask(call("hold", { mark: "old" }), { signal: stop.signal });
    const next = child.ask(call("hold", { mark: "new" }));
    stop.abort();
    await expect(givenUp).rejects.toMatchObject({ code: "canceled", sent: true });
    process.kill(child.pid, "SIGUSR2");
    expect(await next).toMatchObject({ value: "new" });
    expect(child.diagnostics().late).toBe(1);
  });

  test("an answer to another id answers no request: the request ends with its deadline, the child lives", async () => {
    const child = start(actor());
    await child.ready;
    await expect(child.ask(call("wrong"), { timeoutMs: 300 })).rejects.toMatchObject({ code: "deadline_exceeded" });
    expect(await child.ask(call("echo", { mark: 1 }))).toMatchObject({ value: { mark: 1 } });
    expect(child.diagnostics().noise).toBe(1);
  });

  test("an `onPart` that throws fails its own request, not the child", async () => {
    const child = start(actor());
    await child.ready;
    const thrown = new Error("no room");
    const onPart = (): void => {
      throw thrown;
    };
    await expect(child.ask(call("parts", { count: 2 }), { onPart })).rejects.toBe(thrown);
    expect(await child.ask(call("echo", { mark: 1 }))).toMatchObject({ value: { mark: 1 } });
  });

  test("no field of a request takes the place of its id", async () => {
    const child = start(actor());
    await child.ready;
    expect(await child.ask({ ...call("echo", { mark: 1 }), id: 77 })).toMatchObject({ value: { mark: 1 } });
  });

  test.each([
    ["a circle", Object.assign(Object.create(null), { call: "echo" }, { params: undefined })],
    ["a bigint", call("echo", { big: 1n })],
  ])("%s in a request is refused by name, and nothing is sent", async (kind, body) => {
    const child = start(actor());
    await child.ready;
    if (kind === "a circle") body.params = body;
    await expect(child.ask(body)).rejects.toMatchObject({ code: "invalid_argument", sent: false });
  });

  test("partial answers reach the caller in order", async () => {
    const child = start(actor());
    const parts: unknown[] = [];
    await child.ready;
    const last = await child.ask(call("parts", { count: 5 }), { onPart: ({ part }) => parts.push(part) });
    expect([parts, last.value]).toEqual([[0, 1, 2, 3, 4], "done"]);
  });

  if (inLongTier) {
    test("where late answers are known by id, a timeout costs only its own request", async () => {
      const child = start(
        actor([], { dialect: lineProtocol({ protocol: "actor", versions: [1], onTimeout: "drop" }) }),
      );
      await child.ready;
      await expect(child.ask(call("hold", { mark: "old" }), { timeoutMs: 50 })).rejects.toMatchObject({
        code: "deadline_exceeded",
      });
      const next = child.ask(call("hold", { mark: "new" }));
      process.kill(child.pid, "SIGUSR2");
      expect(await next).toMatchObject({ value: "new" });
      expect(child.diagnostics().late).toBe(1);
    });
  }
});

describe("requests without ids", () => {
  if (inLongTier) {
    test("wait for their turn and are never refused or crossed", async () => {
      const child = start(actorInTurn());
      await child.ready;
      const values = await Promise.all(
        Array.from({ length: 50 }, async (_, mark) => (await child.ask(call("late", { mark, ms: mark % 3 }))).value),
      );
      expect(values).toEqual(Array.from({ length: 50 }, (_, mark) => mark));
    });
  }

  test("one that is given up keeps its turn until its answer came", async () => {
    const child = start(actorInTurn([], { dialect: withoutCancel }));
    await child.ready;
    const stop = new AbortController();
    const givenUp = child.ask(call("late", { mark: "old", ms: 100 }), { signal: stop.signal });
    const next = child.ask(call("echo", { mark: "new" }));
    stop.abort();
    await expect(givenUp).rejects.toMatchObject({ code: "canceled" });
    expect(await next).toMatchObject({ value: { mark: "new" } });
  });

  test("too many are refused with nothing sent", async () => {
    const child = start(actorInTurn([], { limits: { queue: 2 } }));
    await child.ready;
    const ask = () => child.ask(call("late", { mark: 1, ms: 50 }));
    const [first, second, third, fourth] = [ask(), ask(), ask(), ask()];
    await expect(fourth).rejects.toMatchObject({ code: "resource_exhausted", sent: false, retryable: true });
    await Promise.all([first, second, third]);
  });

  test("one whose time runs out while it waits was never sent, and harms no other", async () => {
    const child = start(actorInTurn());
    await child.ready;
    const first = child.ask(call("hold", { mark: "first" }));
    await expect(child.ask(call("echo"), { timeoutMs: 20 })).rejects.toMatchObject({
      code: "deadline_exceeded",
      sent: false,
      fault: { where: "queue" },
    });
    process.kill(child.pid, "SIGUSR2");
    expect(await first).toMatchObject({ value: "first" });
  });
});

/** Each fault is a typed error, or no error at all, well before the deadline of 20 s. */
describe("misbehaviour", () => {
  test.each(
    sample([
      ["garbage between the lines", call("garbage"), "after garbage"],
      ["a message in two pieces, cut inside a character", call("partial"), "grüße \u2028 end"],
      ["a flood of 8 MB on stderr", call("flood", { kilobytes: 8_192 }), "flooded"],
      ["a long line", call("huge", { chars: 3_000_000 }), "x".repeat(3_000_000)],
    ]),
  )("%s does not matter", async (_name, request, value) => {
    const child = start(actor());
    await child.ready;
    expect((await child.ask(request)).value).toEqual(value);
    expect((await child.ask(call("echo", { still: "here" }))).value).toEqual({ still: "here" });
  });

  if (inLongTier) {
    test("noise is counted and its last lines kept, stderr is bounded", async () => {
      const child = start(actor([], { limits: { stderrBytes: 4_096 } }));
      await child.ready;
      await child.ask(call("garbage"));
      await child.ask(call("flood", { kilobytes: 100 }));
      await until(() => child.diagnostics().stderr.at(-1) === "last words");
      expect(child.diagnostics()).toMatchObject({
        noise: 3,
        lastNoise: expect.arrayContaining(["[1,2,3]", "{broken"]),
      });
      expect(child.diagnostics().stderrBytes).toBeGreaterThan(100_000);
      expect(child.diagnostics().stderr.length).toBeLessThanOrEqual(5);
    });
  }

  test.each(
    sample([
      ["silence", call("silence"), { code: "deadline_exceeded", fault: { kind: "timeout", where: "child" } }],
      ["a child that is busy", call("busy", { ms: 60_000 }), { code: "deadline_exceeded" }],
    ]),
  )("%s ends with the deadline, and a child that stays silent is killed", async (_name, request, expected) => {
    const child = start(actorInTurn([], { unresponsiveMs: 500 }));
    await child.ready;
    await expect(child.ask(request, { timeoutMs: 300 })).rejects.toMatchObject({
      ...expected,
      sent: true,
      retryable: true,
    });
    await expect(child.ended).resolves.toMatchObject({ fault: { kind: "unresponsive", ms: 500 } });
    expect(lives(child.pid)).toBe(false);
  });

  test.each(
    sample([
      [
        "an exit",
        call("exit", { code: 5 }),
        { exit: { code: 5 } },
        /exited with code 5 while working; its last words: "I am leaving"/,
      ],
      [
        "an exit in the middle of an answer",
        call("half"),
        { exit: { code: 3 }, unfinished: 15 },
        /15 bytes into a message/,
      ],
      ["a kill", call("kill"), { exit: { signal: "SIGKILL" } }, /was killed by SIGKILL/],
    ]),
  )("%s fails every request at once", async (_name, request, fault, message) => {
    const child = start(actor());
    await child.ready;
    const others = [child.ask(call("silence")), child.ask(call("silence"))];
    const settled = await Promise.allSettled([child.ask(request), ...others]);
    for (const one of settled) {
      expect(one).toMatchObject({
        status: "rejected",
        reason: { code: "unavailable", sent: true, retryable: true, fault: { kind: "exited", ...fault } },
      });
    }
    await expect(child.ended).resolves.toMatchObject({ message: expect.stringMatching(message) });
  });

  test("an answer written just before the exit still arrives", async () => {
    const child = start(actor());
    await child.ready;
    expect(await child.ask(call("answerThenExit"))).toMatchObject({ value: "bye" });
  });

  test("an endless line is cut off at the cap, the child killed", async () => {
    const child = start(actor([], { limits: { lineBytes: 1_000_000 } }));
    await child.ready;
    await expect(child.ask(call("endless"))).rejects.toMatchObject({
      fault: { kind: "too-long", maxBytes: 1_000_000 },
    });
    await child.ended;
    expect(lives(child.pid)).toBe(false);
  });

  test.each([["broken"], ["bytes"]])(
    "an answer that is not a message (%s) fails at once where there are no ids",
    async (name) => {
      const child = start(actorInTurn());
      await child.ready;
      await expect(child.ask(call(name))).rejects.toMatchObject({ fault: { kind: "garbled" }, sent: true });
    },
  );

  if (inLongTier) {
    test("a child that does not read is not written to without end", async () => {
      const child = start(actor([], { limits: { pipeChars: 100_000 } }));
      await child.ready;
      await child.ask(call("deaf"));
      const text = "t".repeat(60_000);
      const asked = Array.from({ length: 40 }, () => child.ask(call("echo", { text }), { timeoutMs: 500 }));
      const reasons = (await Promise.allSettled(asked)).map((one) =>
        one.status === "rejected" ? one.reason.code : "answered",
      );
      expect(reasons).toContain("resource_exhausted");
      expect(reasons).not.toContain("answered");
    });
  }

  test("SIGTERM ignored: it is killed", async () => {
    const child = start(actor(["start=ignoresTerm"], { stop: { graceMs: 50, termMs: 100 } }));
    await child.ready;
    await child.stop();
    expect(lives(child.pid)).toBe(false);
  });

  test("a grandchild that holds the pipes goes with its group", async () => {
    const child = start(actor());
    await child.ready;
    const { value: grandchild } = await child.ask(call("family", { hold: true }));
    await expect(child.ask(call("exit"))).rejects.toMatchObject({ fault: { kind: "exited" } });
    await child.ended;
    await until(() => !lives(Number(grandchild)));
  });

  test("writing to a child that is gone is no crash", async () => {
    const child = start(actor());
    await child.ready;
    process.kill(child.pid, "SIGKILL");
    const text = "t".repeat(200_000);
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => child.ask(call("echo", { text }))));
    expect(asked.every(({ status }) => status === "rejected")).toBe(true);
    await child.ended;
    await expect(child.ask(call("echo"))).rejects.toMatchObject({ sent: false, fault: { kind: "exited" } });
  });
});
