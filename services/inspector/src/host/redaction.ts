/**
 * What a host keeps to itself: members whose names say that they are secrets, and the whole environment of the process. Their values are
 * not read at all, so nothing that is asked about them can be answered: shown, compared, ordered or counted.
 */
import { fault, type LinqError } from "@fairlead/linq";
import { glob } from "./glob.ts";

/** Which members are redacted. All of it is optional; a name counts in any case and spelling (`apiKey`, `API_KEY`, `api-key`). */
export interface RedactionOptions {
  /** False for none of the names that are redacted by default (`defaultWords`), nor the environment. */
  readonly defaults?: boolean;
  /** More names by their words: `salary` is also `baseSalary` and `SALARY_2026`; `bank account` is `bankAccount`. */
  readonly names?: readonly string[];
  /** More whole names, with `*` and `?`. */
  readonly patterns?: readonly string[];
  /** Whole names that are shown all the same, with `*` and `?`. */
  readonly pass?: readonly string[];
}

/** Names that are redacted unless the host says otherwise, by their words. */
const defaultWords: readonly string[] = [
  "password",
  "passwords",
  "passwd",
  "pwd",
  "passphrase",
  "token",
  "tokens",
  "jwt",
  "secret",
  "secrets",
  "authorization",
  "cookie",
  "cookies",
  "credential",
  "credentials",
  "api key",
  "api keys",
  "access key",
  "access keys",
  "private key",
  "private keys",
  "connection string",
  "connection strings",
  "database url",
  "database urls",
  "dsn",
];

export interface Redaction {
  /** True for a member of that name. */
  hides(name: string): boolean;
  /** True for that member of this object. */
  hidesMember(owner: object, name: string): boolean;
}

/** The words of a name, in lower case. */
const splitWords = (name: string): readonly string[] =>
  name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/\P{L}+/u)
    .filter((word) => word !== "");

/** Whether neighbouring words make one of the texts when they are written without a gap: `pass word` is `password`. */
const joinFinder = (texts: ReadonlySet<string>): ((words: readonly string[]) => boolean) => {
  const longest = Math.max(0, ...[...texts].map(({ length }) => length));
  return (words) =>
    words.some((_, start) => {
      let joined = "";
      for (let at = start; at < words.length && joined.length < longest; at++) {
        joined += words[at] ?? "";
        if (texts.has(joined)) return true;
      }
      return false;
    });
};

/** Names whose answer is kept; more begin again. */
const kept = 4_096;

export const createRedaction = ({
  defaults = true,
  names = [],
  patterns = [],
  pass = [],
}: RedactionOptions = {}): Redaction => {
  const findJoined = joinFinder(
    new Set([...(defaults ? defaultWords : []), ...names].map((name) => splitWords(name).join(""))),
  );
  const hidden = patterns.map(glob);
  const passed = pass.map(glob);
  const known = new Map<string, boolean>();
  const decide = (name: string): boolean => {
    if (passed.some((matches) => matches(name))) return false;
    return findJoined(splitWords(name)) || hidden.some((matches) => matches(name));
  };
  const hides = (name: string): boolean => {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= kept) known.clear();
    const decided = decide(name);
    known.set(name, decided);
    return decided;
  };
  return {
    hides,
    hidesMember: (owner, name) =>
      // biome-ignore lint/style/noProcessEnv: the object is recognised, and none of its members is read.
      hides(name) || (defaults && owner === process.env && !passed.some((matches) => matches(name))),
  };
};

/** The error of every expression that reads such a member. */
export const redactedError = (name: string): LinqError =>
  fault(
    "redacted",
    `'${name}' is redacted by the host`,
    "no expression may read, compare or order it; the host can let a name pass by `redact.pass`",
  );

/** What stands for the value of such an entry in a map: it has nothing but its key and the name of the value's type. */
export class RedactedValue {
  readonly #name: string;
  readonly #type: string;

  constructor(name: string, value: unknown) {
    this.#name = name;
    this.#type = describeType(value);
  }

  /** Tests a private field, so that no proxy or prototype of the value runs code. */
  static is(value: unknown): value is RedactedValue {
    return typeof value === "object" && value !== null && #type in value;
  }

  static typeOf(value: RedactedValue): string {
    return value.#type;
  }

  /** For an expression that needs the value itself. */
  static refuse(value: RedactedValue): never {
    throw redactedError(value.#name);
  }
}

/** The type of a value, by what it is and not by its class. */
export const describeType = (value: unknown): string => (value === null ? "null" : typeof value);

/** A user and a password in an address, and what follows the scheme of an authorization. */
const addressSecret = /(:\/\/[^\s:@/]*:)[^\s/]+@/g;
const schemeSecret = /\b(Bearer|Basic) [\w.~+/=-]{6,}/gi;

/** Characters of one credential with what is around it, such as a signed token of a database: a text is masked before it is cut. */
export const longestSecret = 4_400;

/** A text without the credentials that show in it by their form. */
export const maskText = (text: string): string => {
  const masked = text.includes("://") ? text.replaceAll(addressSecret, "$1…@") : text;
  return masked.replaceAll(schemeSecret, "$1 …");
};
