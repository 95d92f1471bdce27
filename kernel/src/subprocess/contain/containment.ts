/**
 * No orphans, second line: where the system allows it, no descendant of a child survives the kernel, not even one in another session.
 * A process namespace of its own for every child, else a control group, else only the process group. Not here: which of them this system
 * has (`probe.ts`).
 *
 * `setpriv --pdeathsig` ties the first process to the kernel, `unshare --kill-child` ties the namespace to the first process. A shell is
 * the namespace's init: it reaps orphans, and the program itself keeps the ordinary manners towards signals, which an init has not.
 */
import { lstatSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

/** What holds a child's descendants. `group`: only those that did not leave their process group. */
export type Hold = "namespace" | "cgroup" | "group";

/** What a child can be made to do without. Writing: all files there are, not what it has open already. */
export type Denial = "network" | "writing";

/** What can be had here, for `fairlead doctor`. */
export interface Containment {
  /** For children that speak with the kernel. */
  readonly kind: Hold;
  /** For commands of the user's own, which must not find themselves in a namespace. */
  readonly commands: Exclude<Hold, "namespace">;
  /** What children can be denied. */
  readonly denials: readonly Denial[];
  /** How it is done, or why no more can be done. */
  readonly detail: string;
  /** A try took too long on a busy system: more may be possible than is said here, and the next call tries again. */
  readonly undecided?: string;
  /** What would give a stronger kind, where the weakest is all there is. */
  readonly fix?: string;
}

/** Folders that are otherwise for a child that is denied writing. Absolute, and there. Where they are inside one another, the inner one counts. */
export interface FolderAccess {
  /** It may write in these, but for what is hidden. A file counts as well as a folder. */
  readonly writable?: readonly string[];
  /** It may not write in these though they are inside of what is writable; nor can it replace them or a folder above them. Files, too. No links. */
  readonly readOnly?: readonly string[];
  /** It finds these empty, and all that is below them gone. */
  readonly hidden?: readonly string[];
}

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

/** Keeps to itself what the shell says of the program's death; the program's own words go where they always go. */
const init = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?';

/**
 * Before that, mounts everything read-only that can be reached, in the namespace's own list of mounts; the program then begins without
 * the capabilities that could take it back. Blanks in a path are written `\040` there, which `printf` reads in its format alone: `%b` takes a digit
 * that follows for a part of it. The first arguments are the capabilities, the folders that are mounted by
 * themselves, each with `rw` or `ro` before it (`as-is`: it is a mount), and those that are hidden, each list with its length before it: what is hidden comes last, so that it
 * may be inside what is writable.
 */
const readOnly = `
bounds=$1; shift
left=$1; shift
kept="
"
while [ "$left" -gt 0 ]; do
  [ "$1" = as-is ] || mount --bind "$2" "$2" >&2 || exit 71
  [ "$1" = ro ] || kept="$kept$2
"
  left=$((left - 1)); shift 2
done
left=$1; shift
while [ "$left" -gt 0 ]; do
  mount -t tmpfs -o size=4k,mode=755 tmpfs "$1" >&2 || exit 71
  left=$((left - 1)); shift
done
while read -r device path rest; do
  case "$path" in *\\\\*)
    path=$(printf "$(printf %s "$path" | sed 's/%/%%/g')x"); path=\${path%x} ;;
  esac
  case "$path" in *"
"*) ;; *) case "$kept" in *"
$path
"*) continue ;; esac ;; esac
  said=$(mount -o remount,bind,ro "$path" 2>&1) || [ ! -e "$path" ] || { echo "$said" >&2; exit 71; }
done < /proc/self/mounts
cd "$PWD" || exit 71
set -- setpriv --no-new-privs --bounding-set "$bounds" --inh-caps -all "$@"
`;

const unshared: Readonly<Record<Denial, string>> = { network: "--net", writing: "--mount" };

/** As the system writes it in the list of mounts: without links, and without a slash at the end. */
const realPath = (folder: string): string => {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
};

const isInside = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/**
 * Why these folders cannot be held to; nothing where they can. A link that is to stay as it is and lies in something writable could be replaced, since
 * only what it leads to can be mounted; and the list of mounts is read in lines.
 */
export const refuseFolders = ({ writable = [], readOnly = [] }: FolderAccess): string | undefined => {
  const broken = [...writable, ...readOnly].find((path) => realPath(path).includes("\n"));
  if (broken !== undefined) return `${JSON.stringify(broken)} has a line break in its path`;
  const open = writable.map(realPath);
  const link = readOnly.find((path) => {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
    const folder = realPath(dirname(path));
    return open.some((one) => one === folder || isInside(folder, one));
  });
  return link === undefined ? undefined : `${link} is a link in a folder that may be written in, and could be replaced`;
};

/** Without those that are inside another one: nothing is there any more once that one is hidden. */
const outermost = (folders: readonly string[]): readonly string[] =>
  [...new Set(folders)].filter((one) => !folders.some((other) => isInside(one, other)));

/** The folders between what is writable and what is kept in it: as mounts they cannot be renamed, and what is kept stays where it is. */
const between = (path: string, writable: readonly string[]): readonly string[] => {
  const folders: string[] = [];
  for (let at = dirname(path); writable.some((one) => isInside(at, one)); at = dirname(at)) folders.push(at);
  return folders;
};

/** Whether the inner one of those that have it is one to be kept. */
const isKept = (path: string, closed: readonly string[], open: readonly string[]): boolean => {
  const depth = (folders: readonly string[]): number =>
    Math.max(0, ...folders.filter((one) => one === path || isInside(path, one)).map((one) => one.length));
  return depth(closed) >= depth(open);
};

/** Outer ones first: what is mounted later lies above. */
const binds = (
  { writable = [], readOnly = [], hidden = [] }: FolderAccess,
  mounts: readonly string[],
): readonly string[] => {
  const [open, closed] = [writable.map(realPath), readOnly.map(realPath)];
  const gone = outermost(hidden.map(realPath));
  const above = [...closed, ...gone]
    .flatMap((path) => between(path, open))
    .filter((path) => !isKept(path, closed, open) && !gone.some((one) => one === path || isInside(path, one)));
  const modes = new Map([...above, ...open].map((path) => [path, "rw"]));
  for (const path of mounts) modes.set(path, "as-is");
  for (const path of closed) modes.set(path, "ro");
  const sorted = [...modes].sort(([one], [other]) => one.length - other.length);
  return [`${sorted.length}`, ...sorted.flatMap(([path, mode]) => [mode, path])];
};

/**
 * The same program under the user that starts it, who is root inside of a namespace: programs refuse to work as root, or behave otherwise. It needs a
 * `/proc` that can be written, and a capability to leave root behind, which it has not any more then. Root outside stays what it is.
 */
const asOwnUser = ({ file, args }: CommandLine): CommandLine => {
  const [user = 0, group = 0] = [process.getuid?.(), process.getgid?.()];
  if (user === 0) return { file, args };
  return { file: "unshare", args: ["--user", `--map-user=${user}`, `--map-group=${group}`, "--", file, ...args] };
};

const counted = (folders: readonly string[]): readonly string[] => [`${folders.length}`, ...folders];

/** What a program in a namespace finds. */
interface NamespaceView {
  /** Exceptions from the denial of writing. */
  readonly folders?: FolderAccess | undefined;
  /** It runs as who started the kernel instead of as the namespace's root. */
  readonly asUser?: boolean | undefined;
}

/** The same program inside a namespace of its own, denied this. */
export const inNamespace = (
  program: CommandLine,
  deny: readonly Denial[],
  { folders = {}, asUser = false }: NamespaceView = {},
): CommandLine => {
  const { file, args } = asUser ? asOwnUser(program) : program;
  const isMapped = file !== program.file;
  const { hidden = [] } = folders;
  return {
    file: "setpriv",
    args: [
      ...["--pdeathsig", "KILL", "unshare", "--user", "--map-root-user", "--pid", ...deny.map((one) => unshared[one])],
      ...[
        "--fork",
        "--kill-child",
        "sh",
        "-c",
        `${deny.includes("writing") ? readOnly : ""}${init}`,
        "sh",
        ...(deny.includes("writing")
          ? [
              isMapped ? "-all,+setfcap" : "-all",
              ...binds(folders, isMapped ? ["/proc"] : []),
              ...counted(outermost(hidden.map(realPath))),
            ]
          : []),
        file,
        ...args,
      ],
    ],
  };
};
