/** An MCP server on stdio, spoken to line by line, with whatever the lines hold. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Command, type Ended, environmentOf } from "../e2e/command.ts";

export interface Stdio {
  /** Sends lines as they are, no faster than they are read. */
  write(lines: readonly string[]): Promise<void>;
  /** Sends a request as the 2026-07-28 era does, and gives its answer. */
  ask(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** What came back so far. */
  lines(): readonly string[];
  /** Closes its input. */
  end(): void;
  readonly ended: Promise<Ended>;
}

export const openStdio = (command: Command): Stdio => {
  const child = spawn(process.execPath, [command.bin, "mcp", "serve", "--stdio"], {
    cwd: command.cwd,
    env: environmentOf(command),
  });
  const lines: string[] = [];
  const waiting = new Map<string, (line: unknown) => void>();
  let rest = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    for (const line of parts) for (const [id, answer] of waiting) if (line.includes(id)) answer(JSON.parse(line));
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  // It may end while something is written to it; how it ended says the rest.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out: lines.join("\n"), err }));
  });
  const gone = ended.then(({ code }) => Promise.reject(new Error(`it ended with ${code}: ${err.slice(0, 2_000)}`)));
  gone.catch(() => undefined);
  return {
    write: async (all) => {
      for (const line of all) {
        if (!child.stdin.write(`${line}\n`)) await Promise.race([once(child.stdin, "drain"), gone]);
      }
    },
    ask: (method, params) => {
      const id = `ask-${waiting.size + 1}`;
      const answered = new Promise<unknown>((resolve) => waiting.set(`"${id}"`, resolve));
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: envelope } })}\n`);
      return Promise.race([answered, gone]);
    },
    lines: () => lines,
    end: () => child.stdin.end(),
    ended,
  };
};

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "faults", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
