/** Whose a question is that an upstream pushes: its call's; and what is said where that is not clear, or its caller cannot be asked. */
import { type ClientLog, FairleadError } from "@fairlead/kernel/service";
import type { Client, Transport } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, it } from "vitest";
import { type AskCaller, CallerQuestions } from "./caller-questions.ts";

type Handler = (request: { readonly params: object }) => Promise<unknown>;

let questions: CallerQuestions;
let push: (method?: string) => Promise<unknown>;

beforeEach(() => {
  questions = new CallerQuestions();
  const handlers = new Map<string, Handler>();
  const client = { setRequestHandler: (method: string, handler: Handler) => handlers.set(method, handler) };
  questions.serve(client as unknown as Client);
  push = async (method = "elicitation/create") => handlers.get(method)?.({ params: { message: "Who?" } });
});

const says =
  (name: string): AskCaller =>
  async () => ({ action: "accept", content: { name } });
const accepted = (name: string) => ({ action: "accept", content: { name } });

interface Caller {
  readonly ask?: AskCaller;
  readonly client?: string;
  readonly tool?: string;
  readonly clientLog?: ClientLog;
}

/** A call that is open until it is answered, or its caller gives up. */
const open = ({ ask, client, tool = "a", clientLog }: Caller) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = new AbortController();
  let isSent = false;
  const ended = questions.runCall({ tool, client, ask, signal: stop.signal, clientLog }, async () => {
    isSent = true;
    stop.signal.addEventListener("abort", () => resolve());
    if (!stop.signal.aborted) await promise;
  });
  const giveUp = async (): Promise<void> => {
    stop.abort(new Error("given up"));
    await ended.catch(() => undefined);
  };
  return {
    isSent: () => isSent,
    giveUp,
    answer: async () => {
      resolve();
      await ended;
    },
  };
};

const during = <T>(ask: AskCaller | undefined, work: () => Promise<T>): Promise<T> =>
  questions.runCall({ tool: "a", client: undefined, ask, signal: new AbortController().signal }, work);

/** What has come of it so far. */
const settled = async (asked: Promise<unknown>): Promise<unknown> => {
  let result: unknown = "waits";
  asked.then(
    (answer) => {
      result = answer;
    },
    (error: Error) => {
      result = error.message;
    },
  );
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  return result;
};

describe("a log message", () => {
  const clientLog: ClientLog = { level: "info", send: () => undefined };

  it("goes to the client all of whose calls are open", async () => {
    expect(questions.findLog()).toBeUndefined();
    const first = open({ client: "one" });
    open({ client: "one", clientLog });
    expect(questions.findLog()).toBe(clientLog);
    await first.answer();
    expect(questions.findLog()).toBe(clientLog);
  });

  it("is of no one while another client has a call open, or has given one up that is not answered", async () => {
    const other = open({ client: "two" });
    open({ client: "one", clientLog });
    expect(questions.findLog()).toBeUndefined();
    await other.giveUp();
    expect(questions.findLog()).toBeUndefined();
  });

  it("on the response of a call is of that call, whoever has others", async () => {
    open({ client: "two" });
    const options = { tool: "a", client: "one", ask: undefined, clientLog, signal: new AbortController().signal };
    expect(await questions.runCall(options, async () => questions.findLog())).toBe(clientLog);
  });
});

describe("a question on the response of a call", () => {
  it("belongs to that call", async () => {
    open({ ask: says("Ada") });
    expect(await during(says("Bob"), () => push())).toEqual(accepted("Bob"));
  });

  it("goes to no caller where that one cannot be asked, though another could be", async () => {
    open({ ask: says("Ada") });
    await expect(during(undefined, () => push())).rejects.toThrow("could not be asked (elicitation/create)");
  });

  it.each(["elicitation/create", "sampling/createMessage", "roots/list"])(
    "is refused with its client's reason, and not cancelled: %s",
    async (method) => {
      const ask = () => Promise.reject(new FairleadError({ code: "unimplemented", message: `no ${method}` }));
      await expect(during(ask, () => push(method))).rejects.toThrow(
        `the caller could not be asked (${method}): no ${method}`,
      );
    },
  );
});

describe("a question that comes by itself", () => {
  it("belongs to the one call there is", async () => {
    open({ ask: says("Ada") });
    expect(await push()).toEqual(accepted("Ada"));
  });

  it("is refused when nothing is called", async () => {
    await open({ ask: says("Ada") }).answer();
    await expect(push()).rejects.toThrow("it is not known whose call");
  });

  it("belongs to the client all of whose calls they are", async () => {
    open({ ask: says("Ada"), client: "one" });
    open({ ask: says("Ada"), client: "one" });
    expect(await push()).toEqual(accepted("Ada"));
  });

  it("is refused while calls of several clients are open, and is not handed on when one of them is answered", async () => {
    const first = open({ ask: says("Ada"), client: "one" });
    const other = open({ ask: says("Bob"), client: "two", tool: "b" });
    await expect(push()).rejects.toThrow("several clients have open ones");
    const [later, third] = [open({ ask: says("Bob"), client: "two", tool: "b" }), open({ tool: "c" })];
    await other.answer();
    await settled(Promise.resolve());
    // The two tools are kept apart from now on; another is not.
    expect([later.isSent(), third.isSent()]).toEqual([false, true]);
    await first.answer();
    await settled(Promise.resolve());
    expect(later.isSent()).toBe(true);
  });

  it("is refused where another client has given a call up that may still ask", async () => {
    await open({ ask: says("Ada"), client: "one" }).giveUp();
    const other = open({ ask: says("Bob"), client: "two" });
    await expect(push()).rejects.toThrow("a call that another client gave up");
    await other.answer();
    open({ ask: says("Ada"), client: "one" });
    expect(await push()).toEqual(accepted("Ada"));
  });

  it("is refused where calls of a client without a name, or of several, were given up", async () => {
    await open({ ask: says("Ada") }).giveUp();
    const bob = open({ ask: says("Bob") });
    await expect(push()).rejects.toThrow("a call that another client gave up");
    await bob.answer();
    await open({ ask: says("Eve"), client: "one" }).giveUp();
    open({ ask: says("Eve"), client: "one" });
    await expect(push()).rejects.toThrow("a call that another client gave up");
  });

  it("is refused where a call has failed without an answer", async () => {
    const { signal } = new AbortController();
    const broken = () => Promise.reject(new Error("broken off"));
    await expect(questions.runCall({ tool: "a", client: "one", ask: says("Ada"), signal }, broken)).rejects.toThrow(
      "broken off",
    );
    open({ ask: says("Bob"), client: "two" });
    await expect(push()).rejects.toThrow("a call that another client gave up");
  });

  it("belongs to its caller again when what was given up is answered at last", async () => {
    const sent: number[] = [];
    const transport: Transport = { start: async () => {}, close: async () => {}, send: async () => void sent.push(1) };
    questions.follow(transport);
    const say = (id: number) => transport.send({ jsonrpc: "2.0", id, method: "tools/call", params: {} });
    const answer = (id: number) => transport.onmessage?.({ jsonrpc: "2.0", id, result: {} });
    const gone = open({ ask: says("Ada"), client: "one" });
    await say(1);
    await gone.giveUp();
    open({ ask: says("Bob"), client: "two" });
    await say(2);
    await expect(push()).rejects.toThrow("a call that another client gave up");
    answer(2);
    await expect(push()).rejects.toThrow("a call that another client gave up");
    answer(1);
    expect(await push()).toEqual(accepted("Bob"));
    expect(sent).toHaveLength(2);
  });

  it("is refused when two clients call the same tool; it is called by one after the other then, and holds up no other tool", async () => {
    const [ada, bob] = [open({ ask: says("Ada") }), open({ ask: says("Bob") })];
    for (const asked of await Promise.allSettled([push(), push()])) {
      expect(asked).toMatchObject({ reason: { message: expect.stringContaining("not known whose call") } });
    }
    await Promise.all([ada.answer(), bob.answer()]);
    const eve = open({ ask: says("Eve") });
    const [mallory, quick] = [open({ ask: says("Mallory") }), open({ tool: "quick" })];
    await settled(Promise.resolve());
    expect([eve.isSent(), mallory.isSent(), quick.isSent()]).toEqual([true, false, true]);
    await eve.answer();
    await settled(Promise.resolve());
    expect([mallory.isSent(), quick.isSent()]).toEqual([true, true]);
  });
});

it("takes a call that waits back when its caller gives up", async () => {
  const [ada, bob] = [open({ ask: says("Ada") }), open({ ask: says("Bob") })];
  await Promise.allSettled([push(), push()]);
  const third = open({ ask: says("Eve") });
  await third.giveUp();
  await Promise.all([ada.answer(), bob.answer()]);
  const last = open({ ask: says("Eve") });
  await settled(Promise.resolve());
  expect([third.isSent(), last.isSent()]).toEqual([false, true]);
});
