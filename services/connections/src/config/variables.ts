/**
 * `${VAR}` and `${VAR:-default}` in configured texts, resolved at the moment of connecting and kept nowhere; and the way back, for
 * what an upstream says of them. Pure, and linear in the length of the text.
 */

const opening = /\$\{([A-Za-z_][A-Za-z0-9_]*)(\}|:-)/g;

type ResolvedVariables<K extends string> =
  | { readonly ok: true; readonly values: Readonly<Record<K, string>> }
  /** `at`: the key of the text that names it. */
  | { readonly ok: false; readonly missing: string; readonly at: string };

/** All values with their variables filled in, or the first variable that has no value. */
export const resolveVariables = <K extends string>(
  texts: Readonly<Record<K, string>>,
  env: Readonly<Record<string, string | undefined>>,
): ResolvedVariables<K> => {
  let none: { readonly missing: string; readonly at: string } | undefined;
  const values = Object.entries<string>(texts).map(([at, text]) => {
    const lookUp = (name: string, otherwise: string | undefined): string => {
      const value = env[name] ?? otherwise;
      if (value === undefined) none ??= { missing: name, at };
      return value ?? "";
    };
    return [at, fillIn(text, lookUp)] as const;
  });
  return none === undefined
    ? { ok: true, values: Object.fromEntries(values) as Record<K, string> }
    : { ok: false, ...none };
};

/** The variables that the texts of a target name. */
export const namedVariables = (target: object): readonly string[] => [
  ...new Set(Array.from(JSON.stringify(target).matchAll(opening), ([, name = ""]) => name)),
];

/** Shorter values are no secrets, and would be found in any text. */
const shortest = 6;

/** What an upstream says, with the values of the variables in its target as they are written there. */
export const maskVariables = (
  target: object,
  env: Readonly<Record<string, string | undefined>>,
): ((text: string) => string) => {
  const values = namedVariables(target)
    .map((name) => [env[name] ?? "", `\${${name}}`] as const)
    .filter(([value]) => value.length >= shortest)
    .toSorted(([a], [b]) => b.length - a.length);
  return (text) => values.reduce((said, [value, written]) => said.replaceAll(value, written), text);
};

/** A default goes on to the next brace. Without one, the text stays as it is. */
const fillIn = (text: string, lookUp: (name: string, otherwise: string | undefined) => string): string => {
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
