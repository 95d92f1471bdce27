/**
 * A server that is killed while a verification command runs: no process of the command survives, and the same call sent again goes on
 * where it was. The command that had passed is not run again.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isRunning } from "../testing/process.ts";
import { temporaryRepository } from "../testing/repository.ts";

const child = fileURLToPath(new URL("../testing/completing-child.ts", import.meta.url));

/** A command that passes, counting how often it ran. */
const first = "first:\n\t@echo ran >> count.pid\n";

/** The make of the command, its shell, and a grandchild beside it; done at once when it is fixed. */
const makefile = `all:\n\t@test -f fixed.pid || sh -c 'echo $$$$ > grandchild.pid; sleep 600; true' & test -f fixed.pid || { echo $$PPID $$$$ > pids; sleep 600; }\n${first}`;

it.runIf(process.platform === "linux")(
  "no process of a command survives a SIGKILL of the server in complete_ticket",
  async () => {
    const repository = temporaryRepository({ Makefile: makefile, ".gitignore": "*pid*\n" });
    const start = () =>
      spawn(process.execPath, ["--conditions=@fairlead/source", child, repository.path], {
        stdio: ["ignore", "pipe", "inherit"],
      });
    const pidsIn = (file: string): readonly number[] => {
      const path = join(repository.path, file);
      return existsSync(path) ? readFileSync(path, "utf8").split(/\s+/).filter(Boolean).map(Number) : [];
    };
    const server = start();
    await expect.poll(() => [...pidsIn("pids"), ...pidsIn("grandchild.pid")].length).toBe(3);
    const pids = [...pidsIn("pids"), ...pidsIn("grandchild.pid")];
    expect(pids.filter(isRunning)).toEqual(pids);
    server.kill("SIGKILL");
    await once(server, "close");
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);

    repository.write("fixed.pid", "");
    const again = start();
    const lines: string[] = [];
    createInterface({ input: again.stdout }).on("line", (line) => lines.push(line));
    await once(again, "close");
    expect(JSON.parse(lines[1] ?? "null")).toMatchObject({ success: true, phase: "NEXT_TICKET" });
    expect(readFileSync(join(repository.path, "count.pid"), "utf8")).toBe("ran\n");
    repository.remove();
  },
);
