/**
 * What a hook of `loop install` costs beside a start of Node that does nothing: CPU time and wall time, in turns, the quiet quartile. A session is open, with a
 * ticket whose scope is checked. Run by `npm run bench -- hooks`; the first argument is the number of rounds (40 when it says nothing).
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DirectClient } from "../direct-client.ts";
import { install } from "../install/install.ts";
import { temporaryFolder, temporaryRepository } from "./repository.ts";
import { sampleProposal } from "./sample.ts";

const rounds = Number(process.argv[2] ?? 40);
const repository = temporaryRepository({ "src/part-1.ts": "one\n" });
const tools = temporaryFolder();
install(repository.path, "claude-code");
const client = await DirectClient.create({ projectPath: repository.path });
client.startSession({ own_tree: true });
await client.advance();
await client.ingestEvent("SCOUT_OUTPUT", { proposals: [sampleProposal("Close the file")] });
await client.advance();

/** Loaded before every measured program: says what CPU time it took. */
const meter = join(tools.path, "meter.cjs");
writeFileSync(
  meter,
  'process.on("exit", () => require("node:fs").writeSync(3, JSON.stringify(process.cpuUsage())));\n',
);
const bare = join(tools.path, "bare.cjs");
writeFileSync(bare, "");
const hook = join(repository.path, ".claude/hooks/fairlead-loop.cjs");
const input = (tool: string, fields: object): string =>
  JSON.stringify({ session_id: "s", tool_use_id: "t", tool_name: tool, cwd: repository.path, tool_input: fields });
const edit = input("Edit", {
  file_path: join(repository.path, "src/close-the-file.ts"),
  old_string: "a",
  new_string: "b",
});

const programs = {
  "bare Node": [bare, []],
  "before an edit": [hook, ["claude-edit"]],
  "after an edit": [hook, ["claude-after"]],
  "before a shell command": [hook, ["claude-edit"]],
  "end of a turn": [hook, ["claude-stop"]],
  "status line": [hook, ["claude-status"]],
} as const satisfies Readonly<Record<string, readonly [string, readonly string[]]>>;

type Name = keyof typeof programs;

const names = Object.keys(programs) as Name[];
const cpu = new Map<Name, number[]>(names.map((name) => [name, []]));
const wall = new Map<Name, number[]>(names.map((name) => [name, []]));

const measure = (name: Name): void => {
  const [script, args] = programs[name];
  const began = performance.now();
  const { status, output } = spawnSync(process.execPath, ["--require", meter, script, ...args], {
    input: name === "before a shell command" ? input("Bash", { command: "make" }) : edit,
    stdio: ["pipe", "pipe", "inherit", "pipe"],
    env: { PATH: process.env.PATH ?? "" },
    encoding: "utf8",
  });
  wall.get(name)?.push(performance.now() - began);
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  const { user, system } = JSON.parse(output[3] ?? "");
  cpu.get(name)?.push((user + system) / 1_000);
};

for (let round = 0; round < rounds; round += 1) for (const name of names) measure(name);

const quiet = (values: readonly number[] = []): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
for (const name of names) {
  const [own, whole] = [quiet(cpu.get(name)), quiet(wall.get(name))];
  const ratio = own / quiet(cpu.get("bare Node"));
  console.log(`${name}: ${own.toFixed(1)} ms of CPU, ${ratio.toFixed(2)} of bare Node; ${whole.toFixed(1)} ms of time`);
}
await client.endSession();
await client.close();
repository.remove();
tools.remove();
