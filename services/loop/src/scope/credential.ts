/**
 * Finds what looks like a credential in the lines that a patch adds. Only patterns that match nothing else: a guess would stop
 * legitimate work. What is found is named by its kind and its file, never shown.
 */

const kinds: readonly (readonly [kind: string, shape: RegExp])[] = [
  ["a private key", /-----BEGIN (?:[A-Z]{2,12} ){0,2}PRIVATE KEY-----/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ["a GitHub token", /\bgh[oprsu]_[0-9A-Za-z]{36}\b/],
  ["a GitHub token", /\bgithub_pat_[0-9A-Za-z_]{60}/],
  ["a GitLab token", /\bglpat-[0-9A-Za-z_-]{20}/],
  ["a Slack token", /\bxox[abeprs]-[0-9A-Za-z-]{20}/],
  ["a Google API key", /\bAIza[0-9A-Za-z_-]{35}/],
  ["a Stripe key", /\b[rs]k_live_[0-9A-Za-z]{20}/],
  ["an npm token", /\bnpm_[0-9A-Za-z]{36}\b/],
  ["a key of a model's provider", /\bsk-(?:ant|proj)-[0-9A-Za-z_-]{20}/],
  ["a password in an address", /\b[a-z]{3,12}:\/\/[^\s:/@]{1,64}:[^\s:/@$<{*]{8,128}@[\w.-]{1,200}/],
];

/** A longer line is code that a machine made: only its beginning is searched. A patch of more lines is refused for its length anyway. */
const max = { characters: 10_000, lines: 50_000, found: 10 } as const;

/** Like `src/a.ts: an AWS access key`; each once, at most ten. */
export const findCredentials = (patch: string): readonly string[] => {
  const found = new Set<string>();
  let file = "";
  for (const line of patch.split("\n", max.lines)) {
    if (line.startsWith("+++ ")) file = line.slice(4).replace(/^"?b\//, "");
    else if (line.startsWith("+"))
      for (const [kind, shape] of kinds) if (shape.test(line.slice(0, max.characters))) found.add(`${file}: ${kind}`);
    if (found.size >= max.found) break;
  }
  return [...found];
};
