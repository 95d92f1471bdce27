/**
 * `${VAR}` and `${VAR:-default}` in configured texts, resolved at the moment of connecting and kept nowhere. Pure, and linear in the
 * length of the text.
 */

const opening = /\$\{([A-Za-z_][A-Za-z0-9_]*)(\}|:-)/g;

export type Resolved =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly missing: string };

/** All values with their variables filled in, or the first variable that has no value. */
export const resolveVariables = (
  texts: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Resolved => {
  let missing: string | undefined;
  const lookUp = (name: string, otherwise: string | undefined): string => {
    const value = env[name] ?? otherwise;
    if (value === undefined) missing ??= name;
    return value ?? "";
  };
  const values = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, filled(text, lookUp)]));
  return missing === undefined ? { ok: true, values } : { ok: false, missing };
};

/** A default goes on to the next brace. Without one, the text is as it stands. */
const filled = (text: string, lookUp: (name: string, otherwise: string | undefined) => string): string => {
  let result = "";
  let at = 0;
  for (const { 0: start, 1: name = "", 2: mark, index } of text.matchAll(opening)) {
    if (index < at) continue;
    const after = index + start.length;
    const close = mark === "}" ? after - 1 : text.indexOf("}", after);
    if (close === -1) break;
    result += text.slice(at, index) + lookUp(name, mark === "}" ? undefined : text.slice(after, close));
    at = close + 1;
  }
  return result + text.slice(at);
};
