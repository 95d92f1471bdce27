/**
 * No orphans, first line: a tiny shell that outlives the kernel by a moment and kills the process groups it left behind.
 *
 * It reads "+group" and "-group" lines from a pipe. When the kernel dies, however it dies, the pipe closes and the guard kills what
 * is still listed. One for all children, in a session of its own, started with the first child. It cannot reach descendants
 * that left their process group, unless the kernel has a control group (then a folder) for them: `containment.ts`.
 */
import type { Writable } from "node:stream";
import { startDetached } from "./start-process.ts";

const script = `
trap '' HUP INT TERM
groups=' '
while read -r line; do
  case "$line" in
    +*) groups="$groups\${line#+} " ;;
    -*) left=' '
        for group in $groups; do [ "$group" = "\${line#-}" ] || left="$left$group "; done
        groups="$left" ;;
  esac
done
for group in $groups; do
  case "$group" in
    /*) echo 1 > "$group/cgroup.kill"
        tries=0
        while [ $tries -lt 50 ]; do
          rmdir "$group"/*/
          rmdir "$group" && break
          tries=$((tries + 1))
          sleep 0.02
        done ;;
    *) kill -s KILL -- "-$group" ;;
  esac
done 2>/dev/null
`;

/** A process group by its number, or the folder of a control group, whose path has no blanks. */
type GuardedGroup = number | string;

export interface Guard {
  watch(group: GuardedGroup): void;
  forget(group: GuardedGroup): void;
}

const watched = new Set<GuardedGroup>();
/** The input of the shell, while it runs. */
let shell: Writable | undefined;

/** Writes to the guard, which is started when there is none; a guard that died is replaced and sent everything again. */
const send = (line: string): void => {
  if (shell === undefined) {
    shell = startShell();
    for (const group of watched) shell.write(`+${group}\n`);
  } else shell.write(line);
};

const startShell = (): Writable => {
  const { process: started, stdin } = startDetached({ file: "/bin/sh", args: ["-c", script] });
  const lost = (): void => {
    if (shell === stdin) shell = undefined;
  };
  started.on("error", lost).on("exit", lost);
  stdin.on("error", lost);
  return stdin;
};

/** The kernel's guard. Does nothing on Windows, where there are neither groups nor a shell. */
export const guard: Guard =
  process.platform === "win32"
    ? { watch: () => undefined, forget: () => undefined }
    : {
        watch: (group) => {
          if (watched.has(group)) return;
          watched.add(group);
          send(`+${group}\n`);
        },
        forget: (group) => {
          watched.delete(group);
          if (shell !== undefined) send(`-${group}\n`);
        },
      };
