/**
 * Changes of the token file: each one reads, decides and writes while no other process does, and is on the disk, with a line of audit, when
 * it returns.
 *
 * Not here: the file as kernels read it (`token-file.ts`), what a change does (`token.ts`, the commands).
 */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { makePrivateFolder } from "../../state/private-folder.ts";
import { inStorageWords } from "../../state/storage-error.ts";
import { isExpired, sha256, type Token } from "./token.ts";
import { type AuditEntry, readAudit, writeAudit } from "./token-audit.ts";
import { readTokens, readTokenText, tokenText, writeTokenText } from "./token-file.ts";
import { whileLocked } from "./token-lock.ts";

/** A change to make to the tokens of one caller. */
export interface TokenChange {
  readonly change: AuditEntry["change"];
  /** The caller whose tokens are changed. */
  readonly name: string;
  /** The caller that asked a kernel for the change. */
  readonly by?: string;
  /** SHA-256 of the new token, where there is one. */
  readonly token?: string;
  /** The list after the change, from that before it, without what has expired. What it throws leaves all as it is. */
  readonly apply: (tokens: readonly Token[]) => readonly Token[];
}

/** All tokens before and after a change. */
export interface ChangedTokens {
  readonly before: readonly Token[];
  readonly after: readonly Token[];
}

/** Changes the file at that path. Throws what `apply` throws, and a `FairleadError` for a file that is of no use and for storage that fails. */
export const changeTokens = (path: string, { apply, ...change }: TokenChange): ChangedTokens => {
  makePrivateFolder(dirname(path));
  return whileLocked(path, () => {
    settleLast(path);
    const now = Date.now();
    const before = readTokens(path).filter((token) => !isExpired(token, now));
    const after = apply(before);
    const text = tokenText(after);
    const entry = { ...change, id: randomUUID(), file: sha256(text) };
    inStorageWords(() => {
      writeAudit(path, { ...entry, state: "begun" });
      writeTokenText(path, text);
      writeAudit(path, { ...entry, state: "done" });
    });
    return { before, after };
  });
};

/** A change that was cut off by a crash was made or not: the file shows which. */
const settleLast = (path: string): void => {
  const last = readAudit(path).at(-1);
  if (last?.state !== "begun") return;
  const isMade = sha256(readTokenText(path) ?? "") === last.file;
  const { at: _at, user: _user, pid: _pid, ...entry } = last;
  writeAudit(path, { ...entry, state: isMade ? "done" : "undone" });
};
