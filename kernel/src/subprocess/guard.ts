/**
 * No orphans, first line: a tiny shell that outlives the kernel by a moment and kills the process groups it left behind.
 *
 * It reads "+group" and "-group" lines from a pipe. When the kernel dies, however it dies, the pipe closes and the guard kills what
 * is still listed. One for all children, in a session of its own, started with the first child. It cannot reach descendants
 * that left their group: `containment.ts` can.
 */
import { type ChildProcess, spawn } from "node:child_process";

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
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`;

export interface Guard {
  watch(group: number): void;
  forget(group: number): void;
}

const watched = new Set<number>();
let shell: ChildProcess | undefined;

/** Writes to the guard, which is started when there is none; a guard that died is replaced and told everything again. */
const tell = (line: string): void => {
  if (shell === undefined) {
    shell = startShell();
    for (const group of watched) shell.stdin?.write(`+${group}\n`);
  } else shell.stdin?.write(line);
};

const startShell = (): ChildProcess => {
  const started = spawn("/bin/sh", ["-c", script], {
    detached: true,
    cwd: "/",
    env: {},
    stdio: ["pipe", "ignore", "ignore"],
  });
  const lost = (): void => {
    if (shell === started) shell = undefined;
  };
  started.on("error", lost).on("exit", lost);
  started.stdin?.on("error", lost);
  started.unref();
  if (started.stdin !== null && "unref" in started.stdin && typeof started.stdin.unref === "function")
    started.stdin.unref();
  return started;
};

/** The kernel's guard. Does nothing on Windows, where there are neither groups nor a shell. */
export const guard: Guard =
  process.platform === "win32"
    ? { watch: () => undefined, forget: () => undefined }
    : {
        watch: (group) => {
          watched.add(group);
          tell(`+${group}\n`);
        },
        forget: (group) => {
          watched.delete(group);
          if (shell !== undefined) tell(`-${group}\n`);
        },
      };
