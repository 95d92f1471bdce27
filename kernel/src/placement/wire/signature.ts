/**
 * Signatures by a secret that the peers of a fleet share: HMAC-SHA-256 over all that a message says, so that rights travel with the call they were given for
 * and with no other.
 *
 * Not here: what is signed (`../nats/envelope.ts`, `../cluster/message.ts`).
 */
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

export interface Signer {
  sign(text: string, body: Uint8Array): string;
  isGenuine(signature: string, text: string, body: Uint8Array): boolean;
}

export const makeSigner = (secret: string): Signer => {
  const key = createSecretKey(Buffer.from(secret, "utf8"));
  const digest = (text: string, body: Uint8Array): Buffer =>
    createHmac("sha256", key).update(text).update("\n").update(body).digest();
  return {
    sign: (text, body) => digest(text, body).toString("base64url"),
    isGenuine: (signature, text, body) => {
      const given = Buffer.from(signature, "base64url");
      return given.length === 32 && timingSafeEqual(given, digest(text, body));
    },
  };
};
