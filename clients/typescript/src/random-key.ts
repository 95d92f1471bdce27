/** A fresh idempotency key. `randomUUID` is missing on pages that are not served securely; the bytes are there. */
export const randomKey = (): string =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
