/**
 * Cuts a stream of bytes into lines at 0x0A, and at nothing else: no other character ends a line of JSON.
 *
 * Partial lines wait as a list of chunks and are joined once, so a line of any length costs time in proportion to it. A line over
 * the cap is dropped while it passes and reported once. Not here: what a line means (`line.ts`).
 */

export type Frame =
  /** A whole line without its 0x0A. The bytes are only valid until the next `push`. */
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** A line was longer than the cap; `bytes` counts what had been seen when the cap was passed. */
  | { readonly kind: "too-long"; readonly bytes: number };

export interface Framer {
  push(chunk: Uint8Array): readonly Frame[];
  /** Bytes of a line that has begun and not ended; at the end of the stream, the size of a truncated message. */
  unfinished(): number;
}

const newline = 0x0a;

/** `maxBytes`: the longest line, without its end. */
export const createFramer = (maxBytes: number): Framer => {
  let parts: Uint8Array[] = [];
  let size = 0;
  let skipping = false;

  const take = (piece: Uint8Array, ends: boolean): Frame | undefined => {
    const length = size + piece.length;
    if (length > maxBytes || skipping) {
      const reported = skipping;
      parts = [];
      size = ends ? 0 : length;
      skipping = !ends;
      return reported ? undefined : { kind: "too-long", bytes: length };
    }
    if (!ends) {
      if (piece.length > 0) parts.push(piece);
      size = length;
      return undefined;
    }
    const bytes = parts.length === 0 ? piece : Buffer.concat([...parts, piece], length);
    parts = [];
    size = 0;
    return { kind: "line", bytes };
  };

  return {
    push: (chunk) => {
      const frames: Frame[] = [];
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        const frame = take(chunk.subarray(from, end), true);
        if (frame !== undefined) frames.push(frame);
        from = end + 1;
      }
      const frame = from < chunk.length ? take(chunk.subarray(from), false) : undefined;
      if (frame !== undefined) frames.push(frame);
      return frames;
    },
    unfinished: () => size,
  };
};
