/**
 * Tokens for whoever administers a running kernel: listed, made, replaced and revoked, as the command line does it, with the same file and the
 * same log of changes. What is made is answered once and kept by its hash alone.
 *
 * Not here: who may ask for it (the contract says `admin`), and how a kernel follows the file (`token-file.ts`).
 */
import { randomBytes } from "node:crypto";
import { isExpired, replaced, sha256, type Token, tokenSchema } from "./token.ts";
import { readAudit } from "./token-audit.ts";
import { changeTokens } from "./token-changes.ts";
import { readTokens, readTokenText } from "./token-file.ts";

/** Who is let in, as it is configured. */
export interface AccessSettings {
  /** None for a kernel without a state folder of its own. */
  readonly file: string | undefined;
  readonly configured: readonly Token[];
  readonly origins: readonly string[];
  readonly hosts: readonly string[];
}

type AccessProblem = "no_file" | "name_taken" | "unknown_token";

/** Why a change is not made. */
export class AccessRefused extends Error {
  override readonly name = "AccessRefused";
  readonly problem: AccessProblem;
  /** Names that the file has. */
  readonly known: readonly string[];

  constructor(problem: AccessProblem, message: string, known: readonly string[] = []) {
    super(message);
    this.problem = problem;
    this.known = known;
  }
}

export type Access = ReturnType<typeof openAccess>;

const dayMs = 86_400_000;
const mostChanges = 100;

/** 256 random bits. */
const createSecret = (): string => `fairlead_${randomBytes(32).toString("base64url")}`;

const timeAfter = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

interface NewToken {
  readonly name: string;
  readonly access: readonly Token["access"][number][];
  readonly services?: readonly string[] | undefined;
  readonly days?: number | undefined;
}

interface NextToken {
  readonly name: string;
  readonly keepMinutes: number;
  readonly days?: number | undefined;
}

export const openAccess = ({ file, configured, origins, hosts }: AccessSettings) => {
  const requireFile = (): string => {
    if (file !== undefined) return file;
    throw new AccessRefused("no_file", "this kernel has no state folder, and so no file of tokens");
  };
  return {
    list: () => ({
      tokens: [
        ...describe(configured, "configuration"),
        ...describe(file === undefined ? [] : readTokens(file), "file"),
      ],
      changes: file === undefined ? [] : listChanges(file),
      open: configured.length === 0 && (file === undefined || readTokenText(file) === undefined),
      file: file ?? null,
      origins: [...origins],
      hosts: [...hosts],
    }),

    /** `by`: the caller that asks for it. */
    create: ({ name, access, services, days }: NewToken, by: string) => {
      const path = requireFile();
      const token = createSecret();
      const digest = sha256(token);
      const expires = days === undefined ? undefined : timeAfter(days * dayMs);
      const made = tokenSchema.parse({ name, sha256: digest, access, services, expires });
      changeTokens(path, {
        change: "create",
        name,
        token: digest,
        by,
        apply: (tokens) => {
          if ([...configured, ...tokens].some((each) => each.name === name))
            throw new AccessRefused("name_taken", `there is a token named ${name}`);
          return [...tokens, made];
        },
      });
      return { name, token, access: made.access, ends: expires ?? null };
    },

    rotate: ({ name, keepMinutes, days }: NextToken, by: string) => {
      const token = createSecret();
      const digest = sha256(token);
      const until = Date.now() + keepMinutes * 60_000;
      const expires = days === undefined ? undefined : timeAfter(days * dayMs);
      const { after } = changeTokens(requireFile(), {
        change: "rotate",
        name,
        token: digest,
        by,
        apply: (tokens) => {
          const next = replaced(tokens, name, { sha256: digest, expires, until });
          if (next === undefined) throw unknownToken(name, tokens);
          return next;
        },
      });
      const made = after.findLast((each) => each.name === name);
      return { name, token, ends: made?.expires ?? null, oldUntil: new Date(until).toISOString() };
    },

    revoke: ({ name }: { readonly name: string }, by: string) => {
      const { after } = changeTokens(requireFile(), {
        change: "revoke",
        name,
        by,
        apply: (tokens) => {
          const others = tokens.filter((each) => each.name !== name);
          if (others.length === tokens.length) throw unknownToken(name, tokens);
          return others;
        },
      });
      return { name, left: after.length + configured.length };
    },
  };
};

const unknownToken = (name: string, tokens: readonly Token[]): AccessRefused => {
  const known = [...new Set(tokens.map((token) => token.name))].toSorted();
  return new AccessRefused("unknown_token", `the file has no token named ${name}`, known);
};

/** By name, the current one of a name first. */
const describe = (tokens: readonly Token[], source: "file" | "configuration") => {
  const now = Date.now();
  const callers = Map.groupBy(tokens.filter((token) => !isExpired(token, now)).toReversed(), ({ name }) => name);
  return [...callers.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, own]) =>
      own.map(({ access, services, expires, sha256: digest }, age) => ({
        name,
        state: age === 0 ? ("current" as const) : ("replaced" as const),
        source,
        access: [...access],
        services: services === undefined ? null : [...services],
        ends: expires ?? null,
        fingerprint: digest.slice(0, 12),
      })),
    );
};

/** The latest changes, newest first: each was begun, and made or not. */
const listChanges = (path: string) =>
  readAudit(path)
    .filter(({ state }) => state !== "begun")
    .slice(-mostChanges)
    .toReversed()
    .map(({ at, change, name, by, user, state }) => ({
      at,
      change,
      name,
      by: by ?? null,
      user,
      made: state === "done",
    }));
