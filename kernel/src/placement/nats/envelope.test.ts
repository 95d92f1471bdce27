/** Whatever arrives over NATS is read, dropped or refused: the client's reader ends with anything else that is thrown. */
import { FairleadError } from "@fairlead/contracts";
import { headers, type Msg } from "@nats-io/transport-node";
import fc from "fast-check";
import { expect, it, test } from "vitest";
import { SeenCalls } from "../wire/seen-calls.ts";
import { makeSigner, type Signer } from "../wire/signature.ts";
import { readCall, readControl, readReply, writeCall, writeReply } from "./envelope.ts";
import { makeListener } from "./listener.ts";

const signer = makeSigner("a secret of this test alone");
/** Lets what strangers write reach all that reads it. */
const credulous: Signer = { sign: () => "", isGenuine: () => true };
const names = [
  "Fairlead-Timeout-Ms",
  "Fairlead-Principal",
  "traceparent",
  "Idempotency-Key",
  "Fairlead-Attempts",
  "Fairlead-Run",
  "Fairlead-Notes",
  "Last-Event-ID",
  "Fairlead-Credit",
  "Fairlead-Time",
  "Fairlead-Signature",
  "Fairlead-Reply",
  "Fairlead-Event-ID",
];
const principal = Buffer.from(JSON.stringify({ id: "ann", access: ["read"] })).toString("base64url");
const value = fc.oneof(
  fc.constantFrom("%", "100%", "%zz", "%E0%A4", "open 0", "item x", "-1", "", principal, String(Date.now())),
  fc.stringMatching(/^[!-~]{0,40}$/),
);
const message = fc
  .record({
    values: fc.dictionary(fc.constantFrom(...names), value),
    data: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
    ),
    reply: fc.constantFrom("", "_INBOX.a.0"),
  })
  .map(({ values, data, reply }): Msg => {
    const head = headers();
    for (const [name, text] of Object.entries(values)) head.append(name, text);
    return toMessage({ subject: "fairlead.call", reply, data, head });
  });

interface Written {
  readonly subject: string;
  readonly reply: string;
  readonly data: Uint8Array;
  readonly head: ReturnType<typeof headers> | undefined;
}

const toMessage = ({ subject, reply, data, head }: Written): Msg => ({
  subject,
  sid: 1,
  reply,
  data,
  ...(head !== undefined && { headers: head }),
  respond: () => true,
  json: () => JSON.parse(new TextDecoder().decode(data)),
  string: () => new TextDecoder().decode(data),
});

test("nothing but a FairleadError is thrown for any message", () => {
  const read = [readCall, readReply, readControl];
  fc.assert(
    fc.property(message, fc.constantFrom(signer, credulous, undefined), (given, by) => {
      for (const each of read)
        try {
          each(given, by);
        } catch (error) {
          expect(error).toBeInstanceOf(FairleadError);
        }
    }),
  );
});

test("an event id that is not percent-encoded makes a reply unreadable, and a call refused", () => {
  const head = headers();
  head.append("Fairlead-Event-ID", "100%");
  expect(readReply(toMessage({ subject: "a", reply: "", data: Buffer.from("{}"), head }), undefined)).toBeUndefined();
  const terms = { principal: { id: "ann", access: ["read" as const] }, notes: [] };
  const call = writeCall(terms, { subject: "a", reply: "b", body: Buffer.from("{}") }, undefined);
  call.append("Last-Event-ID", "100%");
  expect(() =>
    readCall(toMessage({ subject: "a", reply: "b", data: Buffer.from("{}"), head: call }), undefined),
  ).toThrow("a call over NATS has a Last-Event-ID that is not percent-encoded");
});

test("an event id of any letters arrives as it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (eventId) => {
      const body = Buffer.from("{}");
      const head = writeReply({ kind: "item", at: 3, eventId }, { subject: "a", body }, signer);
      expect(readReply(toMessage({ subject: "a", reply: "", data: body, head }), signer)).toMatchObject({
        eventId,
        at: 3,
      });
    }),
  );
});

it("does not throw what a listener throws", () => {
  const lines: string[] = [];
  const listen = makeListener(
    (_, text) => void lines.push(text),
    () => {
      throw new URIError("malformed");
    },
  );
  listen(null, toMessage({ subject: "a", reply: "", data: new Uint8Array(), head: undefined }));
  expect(lines).toEqual(["a message over NATS could not be read, and was dropped"]);
});

test("a call is known again while its signature holds, and what cannot be known is refused", () => {
  const seen = new SeenCalls(2);
  expect([seen.add("a", 30, 0), seen.add("a", 30, 30), seen.add("b", 40, 10)]).toEqual(["new", "again", "new"]);
  expect([seen.add("c", 50, 20), seen.add("c", 61, 31), seen.add("b", 40, 40)]).toEqual(["full", "new", "again"]);
});
