/**
 * What an answer costs a model, estimated: no tokenizer is at hand where answers are made, and each model has its own. Words are in pieces of about four letters,
 * numbers of three digits, signs of JSON in pieces of two or three; the sum is seldom too low.
 */

const [letters, digits, signs] = [4, 3, 3] as const;

const runSize = (unit: number): typeof letters | typeof digits | 0 => {
  if (unit >= 0x30 && unit <= 0x39) return digits;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? letters : 0;
};

/** Tokens of a value as JSON. */
export const countTokens = (json: unknown): number => {
  const text = JSON.stringify(json) ?? "null";
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const kind = runSize(text.charCodeAt(at));
    const start = at;
    while (at < text.length && text.charCodeAt(at) < 0x80 && runSize(text.charCodeAt(at)) === kind) at++;
    const size = kind === 0 ? signs : kind;
    // Other scripts: a sign is a token, or a little more or less.
    if (at === start) at++;
    tokens += Math.ceil((at - start) / size);
  }
  return tokens;
};
