/**
 * A child for tests: speaks the line protocol under the name "actor" and misbehaves on request. Not part of the kernel.
 *
 * Arguments: `key=value`. `start`: how it begins (good, slow, mute, rude, exit, old). `turn=yes`: leaves ids out of its answers.
 */
import { spawn, spawnSync } from "node:child_process";
import { connect } from "node:net";

const options = new Map(process.argv.slice(2).map((text) => text.split("=", 2) as [string, string]));
const say = (text: string): boolean => process.stdout.write(text);
const write = (message: object): boolean => say(`${JSON.stringify(message)}\n`);
const sendHandshake = (versions: readonly number[]): boolean =>
  write({ fairlead: "actor", versions, info: { pid: process.pid } });

interface Request {
  readonly id: number;
  readonly call?: string;
  readonly cancel?: number;
  readonly quit?: boolean;
  readonly params?: Readonly<Record<string, unknown>>;
}

const named = (id: number): object => (options.get("turn") === "yes" ? {} : { id });
const reply = (id: number, value: unknown): boolean => write({ ...named(id), ok: true, value });
const number = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);

let calls = 0;

/** What `hold` waits with, until the test sends SIGUSR2. */
const held: (() => void)[] = [];
let isReleased = false;
process.on("SIGUSR2", () => {
  isReleased = true;
  for (const answer of held.splice(0)) answer();
});

const acts: Readonly<Record<string, (request: Request) => void>> = {
  ping: ({ id }) => reply(id, "pong"),
  echo: ({ id, params }) => reply(id, params),
  busy: ({ id, params }) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, number(params?.ms, 0));
    reply(id, "done");
  },
  count: ({ id }) => reply(id, ++calls),
  environment: ({ id }) => reply(id, { env: process.env, cwd: process.cwd(), args: process.argv.slice(2) }),
  garbage: ({ id }) => {
    say("not a line of JSON \u0007\n[1,2,3]\n{broken\n\u2028\r\n");
    reply(id, "after garbage");
  },
  broken: () => say('{"ok":true,"value":"bro\n'),
  bytes: ({ params }) =>
    process.stdout.write(Buffer.from(number(params?.byte, 0xff) < 256 ? [0x7b, 0xff, 0xfe, 0x0a] : [])),
  partial: ({ id }) => {
    const text = JSON.stringify({ ...named(id), ok: true, value: "grüße \u2028 end" });
    const bytes = Buffer.from(`${text}\n`);
    const cut = bytes.indexOf(0xc3) + 1;
    process.stdout.write(bytes.subarray(0, cut));
    setTimeout(() => process.stdout.write(bytes.subarray(cut)), 20);
  },
  half: ({ params }) => process.stdout.write('{"ok":true,"val', () => process.exit(number(params?.code, 3))),
  huge: ({ id, params }) => reply(id, "x".repeat(number(params?.chars, 0))),
  endless: () => {
    const block = "y".repeat(65_536);
    const more = (): void => {
      while (say(block));
      process.stdout.once("drain", more);
    };
    say('{"value":"');
    more();
  },
  hoard: ({ id, params }) => {
    const kept: Buffer[] = [];
    for (let i = 0; i < number(params?.megabytes, 1); i++) kept.push(Buffer.alloc(1_048_576));
    reply(id, kept.length);
  },
  connect: ({ id, params }) => {
    const socket = connect(number(params?.port, 0), "127.0.0.1");
    socket.once("connect", () => reply(id, "connected")).once("close", () => undefined);
    socket.once("error", (error: NodeJS.ErrnoException) => reply(id, error.code));
  },
  shell: ({ id, params }) => reply(id, spawnSync("sh", ["-c", String(params?.line)]).status),
  silence: () => undefined,
  hold: ({ id, params }) => {
    const answer = () => void reply(id, params?.mark);
    if (isReleased) answer();
    else held.push(answer);
  },
  wrong: ({ id }) => write({ id: id + 1_000, ok: true, value: "for somebody else" }),
  late: ({ id, params }) => setTimeout(() => reply(id, params?.mark), number(params?.ms, 0)),
  parts: ({ id, params }) => {
    for (let part = 0; part < number(params?.count, 1); part++) write({ ...named(id), part });
    reply(id, "done");
  },
  flood: ({ id, params }) => {
    const line = `${"e".repeat(1_023)}\n`;
    for (let i = 0; i < number(params?.kilobytes, 1); i++) process.stderr.write(line);
    process.stderr.write("last words\n");
    reply(id, "flooded");
  },
  exit: ({ params }) => process.stderr.write("I am leaving\n", () => process.exit(number(params?.code, 0))),
  answerThenExit: ({ id }) =>
    process.stdout.write(`${JSON.stringify({ ...named(id), ok: true, value: "bye" })}\n`, () => process.exit(0)),
  kill: () => process.kill(process.pid, "SIGKILL"),
  ignoresTerm: ({ id }) => {
    process.on("SIGTERM", () => process.stderr.write("not me\n"));
    reply(id, "will not go");
  },
  deaf: ({ id }) => {
    process.stdin.pause();
    reply(id, "not reading");
  },
  family: ({ id, params }) => {
    const script = "sleep 600";
    const child = spawn("sh", ["-c", `sh -c '${script}; true'; true`], {
      detached: params?.escape === true,
      stdio: params?.hold === true ? "inherit" : "ignore",
    });
    reply(id, child.pid);
  },
};

const take = (line: string): void => {
  const request: Request = JSON.parse(line);
  if (request.quit === true && options.get("start") !== "ignoresTerm") process.exit(0);
  if (request.call !== undefined) acts[request.call]?.(request);
};

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) take(line);
});
process.stdin.on("end", () => {
  if (options.get("start") !== "ignoresTerm") process.exit(0);
});

switch (options.get("start") ?? "good") {
  case "mute":
    break;
  case "rude":
    say("Usage: actor [options]\n");
    break;
  case "exit":
    process.stderr.write("actor: cannot find my script\n", () => process.exit(7));
    break;
  case "old":
    sendHandshake([7]);
    break;
  case "slow":
    say("booting\n");
    setTimeout(() => sendHandshake([1]), Number(options.get("ms") ?? 300));
    break;
  case "ignoresTerm":
    process.on("SIGTERM", () => undefined);
    setInterval(() => undefined, 1_000);
    sendHandshake([1]);
    break;
  default:
    sendHandshake([1]);
}
