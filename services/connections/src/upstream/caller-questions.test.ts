/** Whose a question is that an upstream pushes: its call's, and no caller's where that is not clear. */
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { type AskCaller, CallerQuestions } from "./caller-questions.ts";

type Handler = (request: { readonly params: object }) => Promise<unknown>;

/** Askers, and how an upstream asks them. */
const asked = () => {
  const askers = new CallerQuestions();
  const handlers = new Map<string, Handler>();
  const client = { setRequestHandler: (method: string, handler: Handler) => handlers.set(method, handler) };
  askers.serve(client as unknown as Client);
  return { askers, push: () => handlers.get("elicitation/create")?.({ params: { message: "Who?" } }) };
};

const says =
  (name: string): AskCaller =>
  async () => ({ action: "accept", content: { name } });
const accepted = (name: string) => ({ action: "accept", content: { name } });
const unanswered = { action: "cancel" };
const never = new Promise<never>(() => undefined);

describe("a question", () => {
  it("on the response of a call belongs to that call", async () => {
    const { askers, push } = asked();
    void askers.runCall(says("Ada"), () => never);
    expect(await askers.runCall(says("Bob"), async () => push())).toEqual(accepted("Bob"));
  });

  it("of a call whose caller cannot be asked goes to no caller, though another could be", async () => {
    const { askers, push } = asked();
    void askers.runCall(says("Ada"), () => never);
    expect(await askers.runCall(undefined, async () => push())).toEqual(unanswered);
  });

  it("that comes by itself belongs to the one call there is", async () => {
    const { askers, push } = asked();
    void askers.runCall(says("Ada"), () => never);
    expect(await push()).toEqual(accepted("Ada"));
  });

  it.each([[undefined], [says("Bob")]])(
    "that comes by itself goes to no caller when there are two calls",
    async (other) => {
      const { askers, push } = asked();
      void askers.runCall(says("Ada"), () => never);
      void askers.runCall(other, () => never);
      expect(await push()).toEqual(unanswered);
    },
  );

  it("that comes when nothing is called goes to no caller", async () => {
    const { askers, push } = asked();
    await askers.runCall(says("Ada"), async () => undefined);
    expect(await push()).toEqual(unanswered);
  });
});
