/**
 * The worker that runs a startup script in Lua: no files, no processes, no clock, no debug library, no loading of code, a bound on
 * memory. What it does to the world are four functions, each a question to the main thread that is answered before the script goes on.
 *
 * A bound on time is the main thread's: it ends the worker. Not here: what the functions do (`script-tools.ts`).
 */
import { type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { LuaFactory, LuaLibraries } from "wasmoon";

/** What the main thread hands over. */
export interface LuaWork {
  readonly source: string;
  /** For messages of the script's errors. */
  readonly name: string;
  readonly port: MessagePort;
  /** One cell that turns 1 when an answer is there. */
  readonly bell: SharedArrayBuffer;
  readonly memoryBytes: number;
}

export type LuaMessage =
  | { readonly kind: "ask"; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly message: string };

export type LuaAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

export const scriptFunctions = ["mcp_add", "mcp_remove", "mcp_status", "mcp_list"] as const;

const removed = ["dofile", "loadfile", "load", "collectgarbage", "require", "module", "warn"];

const { source, name, port, bell, memoryBytes } = workerData as LuaWork;
const cell = new Int32Array(bell);

const send = (message: LuaMessage): void => port.postMessage(message);

const ask = (asked: string, args: readonly unknown[]): unknown => {
  Atomics.store(cell, 0, 0);
  send({ kind: "ask", name: asked, args });
  Atomics.wait(cell, 0, 0);
  const answer: LuaAnswer | undefined = receiveMessageOnPort(port)?.message;
  if (answer === undefined) throw new Error(`${asked} was not answered`);
  if (!answer.ok) throw new Error(answer.message);
  return answer.value ?? undefined;
};

const run = async (): Promise<void> => {
  const lua = await new LuaFactory().createEngine({
    openStandardLibs: false,
    enableProxy: false,
    injectObjects: false,
    traceAllocations: true,
  });
  const { global } = lua;
  for (const library of [
    LuaLibraries.Base,
    LuaLibraries.String,
    LuaLibraries.Table,
    LuaLibraries.Math,
    LuaLibraries.UTF8,
  ]) {
    global.loadLibrary(library);
  }
  global.setMemoryMax(memoryBytes);
  for (const each of removed) global.set(each, undefined);
  global.set("print", (...words: unknown[]) => send({ kind: "print", text: words.map(shown).join("\t") }));
  global.set("ask", (asked: string, ...args: unknown[]) => ask(asked, plain(args)));
  await lua.doString(prelude);
  await lua.doString(source);
};

/** The functions as Lua's own, so that what gives nothing gives `nil`. */
const prelude = `
  local ask = ask
  _G.ask = nil
  tools = {}
  ${scriptFunctions.map((each) => `function tools.${each}(...) return (ask("${each}", ...)) end`).join("\n  ")}
`;

const shown = (word: unknown): string => (word === null || word === undefined ? "nil" : String(word));

/** Values as they cross the thread: data, no functions. */
const plain = (args: readonly unknown[]): readonly unknown[] => JSON.parse(JSON.stringify(args));

/** Lua's words with the script's name and line, without the frames of the call that lead there. */
const placed = (message: string): string => {
  const [said = "", ...frames] = message.split("\nstack traceback:");
  const own = /^\[string "[^\n]*"\]:(\d+): ([\s\S]*)$/.exec(said);
  if (own !== null) return `${name}:${own[1]}: ${own[2]}`;
  const line = /\]:(\d+): in main chunk/.exec(frames.join(""))?.[1];
  return line === undefined ? `${name}: ${said}` : `${name}:${line}: ${said}`;
};

/** The main thread ends this one when it has heard how it went. */
const stay = (): void => void setInterval(() => undefined, 60_000);

run()
  .then(
    () => send({ kind: "done" }),
    (error: unknown) =>
      send({ kind: "failed", message: placed(error instanceof Error ? error.message : String(error)) }),
  )
  .finally(stay);
