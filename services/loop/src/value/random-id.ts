/** The id source of production: base-36 characters from the system's randomness, each equally likely. */
import { randomBytes } from "node:crypto";
import type { IdSource } from "./id.ts";

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
/** Bytes from here on would favour the first letters; they are thrown away. */
const fairBelow = 252;

export const randomIds: IdSource = () => {
  let text = "";
  while (text.length < 12) {
    for (const byte of randomBytes(16)) {
      if (byte < fairBelow && text.length < 12) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
};
