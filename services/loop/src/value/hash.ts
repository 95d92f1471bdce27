/** Short fingerprints of texts: the first hexadecimal digits of SHA-256. */
import { createHash } from "node:crypto";

/** Twelve digits: enough to distinguish outputs and diffs of one session. */
export const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** Sixteen digits: the checksum of a log line. */
export const lineHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
