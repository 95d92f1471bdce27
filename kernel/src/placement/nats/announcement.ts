/**
 * What nodes of a fleet say of themselves as NATS messages, signed where the peers share a secret.
 *
 * Not here: what they say (`../fleet/node.ts`), when they say it and who hears it (`fleet.ts`).
 */
import { headers, type Msg, type MsgHdrs } from "@nats-io/transport-node";
import { type FleetNode, type FleetPlace, nodeSchema } from "../fleet/node.ts";
import type { Signer } from "../wire/signature.ts";
import { freshMs, signatureName, timeName } from "./envelope.ts";

/** Where a node says what it is. Whoever has a place says it there, so that others who want that place need not hear all nodes. */
export const nodeSubject = (prefix: string, claim: FleetPlace | undefined): string =>
  claim === undefined ? `${prefix}.node.any` : `${prefix}.node.place.${claim.places}.${claim.place}`;

export const allNodes = (prefix: string): string => `${prefix}.node.>`;

/** Asks all nodes to say what they are. */
export const nodesSubject = (prefix: string): string => `${prefix}.nodes`;

const signedText = (subject: string, time: string): string => ["fairlead-node-1", time, subject].join("\n");

export const writeNode = (
  node: FleetNode,
  subject: string,
  signer: Signer | undefined,
): { readonly body: Uint8Array; readonly headers: MsgHdrs } => {
  const body = Buffer.from(JSON.stringify(node));
  const written = headers();
  const time = String(Date.now());
  written.append(timeName, time);
  if (signer !== undefined) written.append(signatureName, signer.sign(signedText(subject, time), body));
  return { body, headers: written };
};

interface NodeMessage {
  readonly node: FleetNode;
  /** Milliseconds by which its clock, or its message, is behind this one. */
  readonly lateMs: number;
}

/** `undefined` for one that no peer of this fleet has said lately, or that cannot be read. */
export const readNode = (message: Msg, signer: Signer | undefined): NodeMessage | undefined => {
  const time = message.headers?.get(timeName) ?? "";
  const signature = message.headers?.get(signatureName) ?? "";
  const lateMs = Date.now() - Number(time);
  const isGenuine =
    signer === undefined ||
    (Math.abs(lateMs) <= freshMs && signer.isGenuine(signature, signedText(message.subject, time), message.data));
  const parsed = isGenuine ? nodeSchema.safeParse(parseJson(message)) : undefined;
  return parsed?.success === true ? { node: parsed.data, lateMs } : undefined;
};

const parseJson = (message: Msg): unknown => {
  try {
    return message.json();
  } catch {
    return undefined;
  }
};
