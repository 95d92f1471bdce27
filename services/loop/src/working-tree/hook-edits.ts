/**
 * Edits in the working tree while a hook of the server's commit runs. Many hooks put away what is not staged (`git stash`) and give it back at
 * their end: one that is ended before, or fails on its way, leaves a person without them. They are kept under a ref meanwhile, byte for byte, and
 * what is gone afterwards is written back where nothing newer can be in its place. Whatever fails here fails no hook.
 * Not here: the run of the hook (`commit-hooks.ts`).
 */
import { accessSync, constants, lstatSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitArguments, type Revision, requireRevision } from "../git/arguments.ts";
import type { Baseline } from "../git/change.ts";
import {
  dropWork,
  editedFiles,
  filteredFiles,
  giveBack,
  hashFiles,
  keepRaw,
  namesIn,
  readBlob,
  type WorkTree,
} from "../git/work-tree.ts";
import { makeFolder, replaceExpected, unlinkInside } from "../project/safe-file.ts";
import type { ProjectOptions } from "../session/project.ts";
import { errorMessage } from "../value/error.ts";
import type { TicketId } from "../value/id.ts";

interface KeptEdits extends Pick<ProjectOptions, "warn"> {
  readonly id: TicketId;
  /** The tree before the hook. */
  readonly before: Baseline;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface HookEnd {
  readonly success: boolean;
  readonly output: string;
}

const maxBytes = { file: 8 * 1024 * 1024, all: 64 * 1024 * 1024 } as const;
const maxNames = 20;

/** What is in the place of a file. */
type EditPlace =
  | { readonly kind: "missing" | "other" }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "file"; readonly mode: number; readonly mtimeMs: number; readonly size: number };

/** A file that differed from HEAD before the hook. One without an id is too large, or cannot be read. */
interface Edit {
  readonly path: string;
  readonly place: EditPlace;
  readonly id?: Revision | undefined;
}

/** Runs a hook. One under which edits went away has failed, and its output says where they are. */
export const keepEditsDuring = async <T extends HookEnd>(
  tree: WorkTree,
  kept: KeptEdits,
  hook: () => Promise<T>,
): Promise<T> => {
  const { id, warn } = kept;
  // What a killed server has left under an earlier name stays there.
  const ref = requireRevision(`promptwheel/hook/${id}-${kept.at}`);
  const edits = await keepEdits(tree, ref, kept).catch((problem: unknown) => {
    warn("edits are not kept while a hook runs", { ticket: id, problem: errorMessage(problem) });
    return [];
  });
  if (edits.length === 0) return hook();
  const [end] = await Promise.allSettled([hook()]);
  const words = await settleEdits(tree, ref, { edits, head: kept.before.head }).catch(
    (problem: unknown) =>
      `whether edits went away while it ran is not known (${errorMessage(problem)}); those of before are under refs/${ref}`,
  );
  // Also in the log: the answer of a call that was cancelled is not read.
  if (words !== undefined) warn("a hook has run over edits", { ticket: id, edits: words });
  if (end.status === "rejected") throw end.reason;
  return words === undefined ? end.value : { ...end.value, success: false, output: `${end.value.output}\n[${words}]` };
};

/** Keeps them under the ref, as far as they can be kept. */
const keepEdits = async (tree: WorkTree, ref: Revision, { id, before, at }: KeptEdits): Promise<readonly Edit[]> => {
  const { git, root } = tree;
  const names = Object.keys(before.dirty)
    .toSorted()
    .filter((path) => !path.startsWith("../"));
  const filtered = new Set(await filteredFiles(git, names));
  const found = names
    .filter((path) => !filtered.has(path))
    .map((path): Edit => ({ path, place: look(root, path) }))
    .filter(({ place }) => place.kind !== "other");
  const ids = await hashFiles(git, chooseReadable(root, found), { store: true });
  const edits = found.map((edit): Edit => ({ ...edit, id: ids.get(edit.path) }));
  const raw = edits.flatMap(({ path, place, id }) =>
    place.kind === "file" && id !== undefined ? [{ path, mode: place.mode, id }] : [],
  );
  const files = edits.filter(({ place }) => place.kind !== "file").map(({ path }) => path);
  const commit = { files, message: `Edits that were there when a hook of ${id} was run`, at };
  if (edits.length > 0) await keepRaw(tree, requireRevision(before.head), { ref, commit, raw });
  return edits;
};

/** Those whose bytes are kept: small ones first, as long as there is room. */
const chooseReadable = (root: string, edits: readonly Edit[]): readonly string[] => {
  let left: number = maxBytes.all;
  return edits
    .flatMap(({ path, place }) => (place.kind === "file" ? [{ path, size: place.size }] : []))
    .toSorted((a, b) => a.size - b.size)
    .filter(({ path, size }) => {
      if (size > maxBytes.file || size > left || !isReadable(root, path)) return false;
      left -= size;
      return true;
    })
    .map(({ path }) => path);
};

interface EditsBefore {
  readonly edits: readonly Edit[];
  readonly head: string;
}

/** Writes back what is gone and drops the ref; what there is to say of it, `undefined` where nothing is gone. */
const settleEdits = async (
  tree: WorkTree,
  ref: Revision,
  { edits, head }: EditsBefore,
): Promise<string | undefined> => {
  const gone = await findGone(tree, edits);
  if (gone.length === 0) {
    await dropWork(tree.git, ref);
    return undefined;
  }
  // Where HEAD has moved, somebody else is at work here.
  const isSame = (await findHead(tree)) === head;
  const problems = isSame ? await restore(tree, ref, gone) : ["HEAD has moved, so nothing is written back"];
  const left = isSame ? await findGone(tree, gone) : gone;
  const names = `edits went away while it ran: ${list(gone)}`;
  if (left.length === 0) {
    await dropWork(tree.git, ref);
    return `${names}; they are as they were again`;
  }
  const lost = left.filter(({ place, id }) => place.kind === "file" && id === undefined);
  const back = left.filter(({ place }) => place.kind === "missing");
  const rest = left.filter((edit) => !lost.includes(edit) && !back.includes(edit));
  return [
    names,
    ...(rest.length > 0 ? [`not as they were: ${list(rest)}`] : []),
    ...(back.length > 0 ? [`there again though they were deleted: ${list(back)}`] : []),
    ...(lost.length > 0 ? [`too large or not readable, and so not kept: ${list(lost)}`] : []),
    ...problems.slice(0, maxNames),
    `what was kept is under refs/${ref}`,
  ].join("; ");
};

const list = (edits: readonly Edit[]): string => {
  const names = edits.slice(0, maxNames).map(({ path }) => path);
  return edits.length > maxNames ? `${names.join(", ")} and ${edits.length - maxNames} more` : names.join(", ");
};

const findHead = async ({ git }: WorkTree): Promise<string> => (await git(gitArguments.head())).stdout.trim();

/** Those that are not as they were, and hold nothing newer: they are as HEAD has them, or not there. What is staged does not count. */
const findGone = async (tree: WorkTree, edits: readonly Edit[]): Promise<readonly Edit[]> => {
  const { git, root } = tree;
  const now = new Map(edits.map(({ path }) => [path, look(root, path)]));
  const comparable = edits.flatMap(({ path, id }) => {
    const place = now.get(path);
    const isSmall = place?.kind === "file" && place.size <= maxBytes.file && isReadable(root, path);
    return id !== undefined && isSmall ? [path] : [];
  });
  const ids = await hashFiles(git, comparable, { store: false });
  const changed = edits.filter((edit) => !isAsBefore(edit, now.get(edit.path), ids.get(edit.path)));
  const readable = changed
    .map(({ path }) => path)
    .filter((path) => {
      const kind = now.get(path)?.kind;
      return kind === "link" || (kind === "file" && isReadable(root, path));
    });
  const head = requireRevision(await findHead(tree));
  const known = await namesIn(git, head, readable);
  const different = new Set(await editedFiles(git, head, [...known]));
  return changed.filter(({ path, place }) => {
    const kind = now.get(path)?.kind;
    if (kind === "missing" || kind === "other") return place.kind !== "missing";
    return known.has(path) && !different.has(path);
  });
};

const isAsBefore = ({ place, id }: Edit, now: EditPlace | undefined, idNow: Revision | undefined): boolean => {
  if (place.kind === "link") return now?.kind === "link" && now.target === place.target;
  if (place.kind !== "file" || now?.kind !== "file") return place.kind === now?.kind;
  return id === undefined ? isSameStamp(now, place) : id === idNow && isRun(now.mode) === isRun(place.mode);
};

type Stamp = Pick<Extract<EditPlace, { kind: "file" }>, "mtimeMs" | "size">;

const isSameStamp = (a: Stamp, b: Stamp): boolean => a.size === b.size && a.mtimeMs === b.mtimeMs;

/** Whether a file may be run: all of a mode that git knows. */
const isRun = (mode: number): boolean => (mode & 0o100) !== 0;

/** Gives back what was kept, and deletes again what was deleted; why something could not be. */
const restore = async (tree: WorkTree, ref: Revision, gone: readonly Edit[]): Promise<readonly string[]> => {
  const { git, root } = tree;
  const problems: string[] = [];
  for (const edit of gone) {
    const { path, place, id } = edit;
    try {
      if (place.kind === "missing") unlinkInside(root, path);
      else if (place.kind === "link") await giveBack(tree, requireRevision(`refs/${ref}`), [path]);
      else if (place.kind === "file" && id !== undefined) {
        const bytes = await readBlob(git, id);
        const folder = dirname(path);
        if (folder !== ".") makeFolder(root, folder);
        // Checked again, since reading takes a while; whoever saves the file from here on keeps what they save.
        const [now, [still]] = [look(root, path), await findGone(tree, [edit])];
        const expected = now.kind === "file" ? now : undefined;
        if (still === undefined || !replaceExpected(root, path, { content: bytes, mode: place.mode, expected }))
          problems.push(`${path}: somebody has changed it meanwhile`);
      }
    } catch (problem) {
      problems.push(`${path}: ${errorMessage(problem)}`);
    }
  }
  return problems;
};

const look = (root: string, path: string): EditPlace => {
  try {
    const place = join(root, path);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) return { kind: "missing" };
    if (found.isSymbolicLink()) return { kind: "link", target: readlinkSync(place) };
    if (!found.isFile()) return { kind: "other" };
    const { mode, size, mtimeMs } = found;
    return { kind: "file", mode: mode & 0o777, size, mtimeMs };
  } catch {
    return { kind: "other" };
  }
};

const isReadable = (root: string, path: string): boolean => {
  try {
    accessSync(join(root, path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
};
