/**
 * The file of tokens in the state folder: changed by the command line (`token-changes.ts`), followed by running kernels, so that a token is made,
 * replaced or revoked without a restart.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { FairleadError } from "@fairlead/contracts";
import * as z from "zod";
import type { Log } from "../../observe/log.ts";
import { conflictIn, type Token, tokenSchema } from "./token.ts";

/** Milliseconds between looks at the file. */
const lookEveryMs = 1_000;

/** Mode bits: who may write the file may admit any caller. */
const writableByOthers = 0o022;

const fileSchema = z.strictObject({ tokens: z.array(tokenSchema) });

/** The tokens in the file; none where there is no file. Throws a `FairleadError` for what is no such file. */
export const readTokens = (path: string): readonly Token[] => {
  const text = readTokenText(path);
  if (text === undefined) return [];
  if (((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & writableByOthers) !== 0) {
    throw broken(path, "others than its owner may write it");
  }
  const parsed = fileSchema.safeParse(readJson(text));
  if (!parsed.success) throw broken(path, "it is not a list of tokens", parsed.error);
  if (conflictIn(parsed.data.tokens) !== -1) throw broken(path, "one name has tokens of different rights");
  return parsed.data.tokens;
};

/** The file as it is; `undefined` where there is none. */
export const readTokenText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw broken(path, "it cannot be read", cause);
  }
};

/** The file as it is written for these tokens. */
export const tokenText = (tokens: readonly Token[]): string => `${JSON.stringify({ tokens }, null, 2)}\n`;

/** Replaces the file at once and as a whole; only its owner may read it. It is on the disk when the call returns. */
export const writeTokenText = (path: string, text: string): void => {
  const fresh = `${path}.${process.pid}.new`;
  rmSync(fresh, { force: true });
  try {
    const file = openSync(fresh, "wx", 0o600);
    try {
      // One that writes all or throws: a disk that is nearly full takes a part.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, path);
  } catch (cause) {
    rmSync(fresh, { force: true });
    throw cause;
  }
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

export interface FollowOptions {
  /** Tokens in addition to those in the file. */
  readonly configured: readonly Token[];
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: Log;
  /**
   * Called at each look that finds the file new or changed. It stays when its last token is revoked: so whoever did not look while it had one
   * learns of it as well, before the list is given.
   */
  readonly onFile: () => void;
}

/**
 * Gives all tokens there are now, the same list for as long as the file has not changed. A file that breaks later is reported, and the
 * tokens read before it stay in force. Throws when the file is broken to begin with.
 */
export const followTokens = (
  path: string,
  { configured, now, log, onFile }: FollowOptions,
): (() => readonly Token[]) => {
  const all = (): readonly Token[] => {
    const tokens = [...configured, ...readTokens(path)];
    if (conflictIn(tokens) !== -1) throw broken(path, "a name in it belongs to the configuration, with other rights");
    return tokens;
  };
  let seen = fileStamp(path);
  if (seen !== noFile) onFile();
  let tokens = all();
  let due = now() + lookEveryMs;
  return () => {
    if (now() < due) return tokens;
    due = now() + lookEveryMs;
    const stamp = fileStamp(path);
    if (stamp === seen) return tokens;
    seen = stamp;
    if (stamp !== noFile) onFile();
    try {
      tokens = all();
      log("info", "the tokens have changed", { count: tokens.length });
    } catch (cause) {
      tokens = [...tokens];
      log("error", "the tokens have changed and cannot be read; those before stay in force", { path, cause });
    }
    return tokens;
  };
};

const noFile = "";

/** Differs when the file does. */
const fileStamp = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? noFile : `${found.ino} ${found.mtimeMs} ${found.size}`;
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const broken = (path: string, why: string, cause?: unknown): FairleadError =>
  new FairleadError(
    {
      code: "failed_precondition",
      message: `the token file ${path} is of no use: ${why}`,
      hint: "fix it, or remove it and make new tokens with `fairlead token create`",
      issues: [{ path: "tokens", expected: "a list as `fairlead token` writes it", fix: `fix ${path}` }],
    },
    { cause },
  );
