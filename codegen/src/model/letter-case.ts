/** Names in the spellings of other languages. Pure; imports nothing, so that a name costs no model. */

export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();

/** `resolveAttack` is `Resolve attack`. */
export const sentenceCase = (name: string): string => {
  const words = snakeCase(name).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** `resolveAttack` is `ResolveAttack`; `unknown_target` is `UnknownTarget`. */
export const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
