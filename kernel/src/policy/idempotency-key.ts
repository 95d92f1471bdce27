/** What an idempotency key is, on every wire and in memory: it goes through headers and logs as it is. */

/** In words, for errors. */
export const keyShape = "1 to 255 visible ASCII characters";

export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);
