/** JSON that people write: parsed, or the place where it stops being JSON and how to fix it. Pure. */

type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      /** Like ` at line 2, column 7`; empty for an empty text. */
      readonly place: string;
      readonly fix: string;
      readonly cause: unknown;
    };

export const parseJson = (text: string): ParsedJson => {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return { ok: true, value: JSON.parse(plain) };
  } catch (cause) {
    if (plain.trim() === "") return { ok: false, place: "", fix: "give it a JSON object, like {}", cause };
    const fix = "fix the JSON; keys and strings are in double quotes";
    return { ok: false, place: findPlace(cause, plain), fix, cause };
  }
};

/** Where the parser stopped. Its error has a position for some mistakes only; for others the place is searched. */
const findPlace = (cause: unknown, text: string): string => {
  const before = text.slice(0, errorPosition(cause) ?? searchPosition(text)).split("\n");
  return ` at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
};

const errorPosition = (cause: unknown): number | undefined => {
  const at = /at position (\d+)/.exec(cause instanceof Error ? cause.message : "")?.[1];
  return at === undefined ? undefined : Number(at);
};

/** The length of the longest beginning that more text could still make valid. */
const searchPosition = (text: string): number => {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (canContinue(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
};

const canContinue = (beginning: string): boolean => {
  try {
    JSON.parse(beginning);
    return true;
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : "";
    return /end of JSON|Unterminated/.test(words) || (errorPosition(cause) ?? -1) >= beginning.length;
  }
};
