/**
 * The worker that runs a startup script in Lua: no files, no processes, no clock, no debug library, no loading of code, a bound on
 * memory. What it does to the world are five functions, each a question to the main thread that is answered before the script goes on.
 *
 * A bound on time is the main thread's: it ends the worker. Not here: what the functions do (`script-tools.ts`).
 */
import { type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { LuaFactory, LuaLibraries, LuaMultiReturn } from "wasmoon";

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
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly message: string };

export type LuaAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

const scriptFunctions = ["mcp_add", "mcp_remove", "mcp_status", "mcp_list"] as const;

const libraries = [LuaLibraries.Base, LuaLibraries.String, LuaLibraries.Table, LuaLibraries.Math, LuaLibraries.UTF8];

const { source, name, port, bell, memoryBytes } = workerData as LuaWork;
const cell = new Int32Array(bell);

const ask = (requested: string, values: readonly unknown[]): LuaAnswer => {
  const args = toData(values);
  if (args === undefined) return { ok: false, message: `${requested}: a table that holds itself is not data` };
  Atomics.store(cell, 0, 0);
  port.postMessage({ kind: "ask", name: requested, args } satisfies LuaMessage);
  Atomics.wait(cell, 0, 0);
  const answer: LuaAnswer | undefined = receiveMessageOnPort(port)?.message;
  return answer ?? { ok: false, message: `${requested} was not answered` };
};

const run = async (): Promise<void> => {
  const { global } = await new LuaFactory().createEngine({
    openStandardLibs: false,
    enableProxy: false,
    injectObjects: false,
    traceAllocations: true,
  });
  for (const library of libraries) global.loadLibrary(library);
  global.setMemoryMax(memoryBytes);
  global.set("ask", (requested: string, ...args: unknown[]) => {
    const answer = ask(requested, args);
    return LuaMultiReturn.of<unknown>(answer.ok, answer.ok ? (answer.value ?? undefined) : answer.message);
  });
  global.loadString(prelude);
  global.runSync();
  global.loadString(text(source), `=${name}`);
  global.runSync();
};

/** As Lua itself reads a file, without its mark and its first line where that is for a shell; and never as compiled code. */
const text = (file: string): string => file.replace(/^\uFEFF?(?:#.*)?/, " ");

/** Lua's own functions around the question: what they raise are texts, with the line of the script. */
const prelude = `
  local ask, error, tostring, select, concat = ask, error, tostring, select, table.concat
  local function answered(ok, value)
    if ok then return value end
    error(value, 3)
  end
  tools = {}
  ${scriptFunctions.map((each) => `function tools.${each}(...) return (answered(ask("${each}", ...))) end`).join("\n  ")}
  ${scriptFunctions.map((each) => `${each} = tools.${each}`).join("; ")}
  setmetatable(tools, {
    __index = function(_, name) return (answered(ask("tools." .. tostring(name)))) end,
    __metatable = false,
  })
  function print(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    answered(ask("print", concat(words, "\\t")))
  end
  for _, name in ipairs({ "ask", "dofile", "loadfile", "load", "collectgarbage", "require", "module", "warn" }) do
    _G[name] = nil
  end
  string.dump = nil
`;

/** Fields of a connection that are lists. Lua's empty table does not say which of the two it is. */
const lists = new Set(["args", "allow", "deny"]);

/** Values as they cross the thread: data, no functions. Nothing for what cannot be written down. */
const toData = (args: readonly unknown[]): readonly unknown[] | undefined => {
  const isEmpty = (value: unknown): boolean =>
    typeof value === "object" && value !== null && Object.keys(value).length === 0;
  try {
    return JSON.parse(JSON.stringify(args), (key: string, value: unknown) =>
      lists.has(key) && isEmpty(value) ? [] : value,
    );
  } catch {
    return undefined;
  }
};

const errorText = (error: unknown): string => {
  const [said = ""] = (error instanceof Error ? error.message : String(error)).split("\nstack traceback:");
  return said.startsWith(`${name}:`) ? said : `${name}: ${said}`;
};

/** The main thread ends this one when it has the result. */
const stay = (): void => void setInterval(() => undefined, 60_000);

run()
  .then(
    (): LuaMessage => ({ kind: "done" }),
    (error: unknown): LuaMessage => ({ kind: "failed", message: errorText(error) }),
  )
  .then((message) => port.postMessage(message))
  .finally(stay);
