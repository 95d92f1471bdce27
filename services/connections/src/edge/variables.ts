/**
 * `${VAR}` and `${VAR:-default}` in configured texts, resolved at the moment of connecting and kept nowhere. Pure.
 */

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export type Resolved =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly missing: string };

/** All values with their variables filled in, or the first variable that has no value. */
export const resolveVariables = (
  texts: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Resolved => {
  let missing: string | undefined;
  const fill = (text: string): string =>
    text.replace(variable, (_, name: string, otherwise: string | undefined) => {
      const value = env[name] ?? otherwise;
      if (value === undefined) missing ??= name;
      return value ?? "";
    });
  const values = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  return missing === undefined ? { ok: true, values } : { ok: false, missing };
};
