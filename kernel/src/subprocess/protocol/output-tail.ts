/** Memory of what a child printed: the last bytes of its stderr, and the last lines that were no protocol. Both bounded. */

export interface ByteRing {
  push(chunk: Uint8Array): void;
  /** The last bytes kept, as text. */
  text(): string;
  /** The last lines that are not empty. */
  lines(count: number): readonly string[];
  /** All bytes that ever came. */
  total(): number;
}

/** Keeps the last `capacity` bytes. A flood costs a copy of each byte and no more memory. */
export const createByteRing = (capacity: number): ByteRing => {
  let ring: Buffer | undefined;
  let total = 0;
  const text = (): string => {
    if (ring === undefined) return "";
    const end = total % capacity;
    return (
      total <= capacity ? ring.subarray(0, total) : Buffer.concat([ring.subarray(end), ring.subarray(0, end)])
    ).toString();
  };
  return {
    push: (chunk) => {
      ring ??= Buffer.alloc(capacity);
      const kept = chunk.subarray(Math.max(0, chunk.length - capacity));
      const at = (total + chunk.length - kept.length) % capacity;
      const first = kept.subarray(0, capacity - at);
      ring.set(first, at);
      ring.set(kept.subarray(first.length), 0);
      total += chunk.length;
    },
    text,
    lines: (count) =>
      text()
        .split("\n")
        .map((line) => line.trimEnd())
        .filter((line) => line !== "")
        .slice(-count),
    total: () => total,
  };
};

export interface NoiseLog {
  add(text: string): void;
  readonly count: number;
  /** The last few, oldest first. */
  readonly last: readonly string[];
}

export const createNoiseLog = (keep: number): NoiseLog => {
  let last: readonly string[] = [];
  let count = 0;
  return {
    add: (text) => {
      count++;
      last = [...last, text].slice(-keep);
    },
    get count() {
      return count;
    },
    get last() {
      return last;
    },
  };
};
