/**
 * The same values through every client: a project whose procedures each take one construct of `docs/contracts.md` and give it back, called in
 * memory, by the generated TypeScript and Python clients and, where there is one, by a client that an independent generator made from the OpenAPI document.
 *
 * Not here: which values, and how many (the tests of each tier).
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ClientError, createClient, fetchTransport, type ServiceDescriptor } from "@fairlead/client";
import type { JsonSchema } from "@fairlead/codegen";
import { schemaValues } from "@fairlead/codegen/proof";
import { type Contract, decoder, encoder, query, queryParameters } from "@fairlead/contracts";
import { withValues } from "@fairlead/contracts/values";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import fc from "fast-check";
import * as z from "zod";
import { PythonBridge, python } from "../python/bridge.ts";
import { evaluate, tryField } from "./construct-check.ts";
import { constructs } from "./constructs.ts";
import { TemporaryProject } from "./project.ts";

/** What a call came to: the value, or the code and whether places are named. Which, is for the tests of issues: a network hides what was sent. */
export type CallResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly hasPlaces: boolean };

/** Calls the procedure of a construct by its name. */
export type CallConstruct = (name: string, input: unknown) => Promise<CallResult>;

export interface EchoProject extends AsyncDisposable {
  /** Its folder. */
  readonly root: string;
  readonly url: string;
  readonly openapi: string;
  readonly memory: CallConstruct;
  readonly client: CallConstruct;
  /** The same client with values: it is given what the contract decodes, and its answer is encoded again. */
  readonly values: CallConstruct;
  /** The generated Python client, where there is a Python; in a process of its own. */
  readonly python: Readonly<Record<string, CallConstruct>>;
}

interface Echo {
  readonly name: string;
  readonly source: string;
}

/** What the proof of `gen` refuses; and what changes a value each time it is seen, so that clients with values see it changed twice. */
const leftOut = ["async", "JSON.parse", "Promise.resolve", "minLength: 0", '+ "xxx"', "value + 1"];

/** A schema that says nothing is refused. */
const saysSomething = ({ properties }: JsonSchema): boolean => Object.keys(properties?.it ?? {}).length > 0;

/** The constructs that both an input and an output may have. */
export const echoes: readonly Echo[] = Object.values(constructs)
  .flat()
  .filter((source) => !leftOut.some((part) => source.includes(part)))
  .map((source, index) => ({ name: `c${index}`, source }))
  .filter(({ source }) => {
    const schema = evaluate(source);
    const [input, output] = [tryField(schema, "input"), tryField(schema, "output")];
    return input.refused === undefined && output.refused === undefined && saysSomething(input.lowered.json);
  });

/** Constructs are written without words for their fields, which a contract has to have. */
const describing = `const described = (schema, seen = new Set()) => {
  if (seen.has(schema)) return schema;
  seen.add(schema);
  const { def } = schema._zod;
  for (const field of Object.values(def.shape ?? {}))
    if (field.description === undefined) z.globalRegistry.add(field, { ...z.globalRegistry.get(field), description: "It" });
  const inner = [...Object.values(def.shape ?? {}), ...Object.values(def).flat()].filter((each) => each?._zod?.def?.type);
  for (const each of inner) described(each, seen);
  return schema;
};`;

const contractText = (tried: readonly Echo[]): string => {
  const procedures = tried.map(({ name, source }) => {
    const field = `described(z.object({ it: ${source} }))`;
    return `${name}: query({ summary: "Gives it back.", tool: false, input: ${field}, output: ${field} }),`;
  });
  return `import * as z from "zod";
import { codecs, defineContract, query } from "@fairlead/contracts";
${describing}
export default defineContract({ id: "echo", version: "1.0.0", summary: "Echoes.", procedures: {
${procedures.join("\n")}
} });
`;
};

const serviceText = `import { defineService } from "@fairlead/kernel/service";
import contract from "../contracts/echo.contract.js";
const names = Object.keys(contract.procedures);
export default defineService(contract, () => ({ handlers: Object.fromEntries(names.map((name) => [name, (input) => input])) }));
`;

/** The project of some of the constructs. */
export const startEchoes = async (tried: readonly Echo[] = echoes): Promise<EchoProject> => {
  const project = new TemporaryProject();
  project.write("contracts/echo.contract.js", contractText(tried));
  project.write("services/echo.service.js", serviceText);
  const { ok, diagnostics } = await project.generate({ python: "gen/echo_clients" });
  if (!ok) throw new Error(JSON.stringify(diagnostics.filter(({ severity }) => severity === "error")));
  const kernel = await openKernel({
    config: { manifest: "./gen/manifest.ts" },
    root: project.root,
    env: {},
    flags: { port: 0, lagMs: 60_000, stateDir: join(project.root, "state") },
    log: makeLog({ level: "error", write: () => undefined }),
  });
  const { port } = await kernel.serve();
  const url = `http://127.0.0.1:${port}`;
  const module: { readonly echo: ServiceDescriptor } = await import(
    pathToFileURL(join(project.root, "gen/echo.ts")).href
  );
  const { default: contract }: { readonly default: Contract } = await import(
    pathToFileURL(join(project.root, "contracts/echo.contract.js")).href
  );
  const bridge = python === undefined ? undefined : new PythonBridge("aio", { url, folder: join(project.root, "gen") });
  return {
    root: project.root,
    url,
    openapi: await kernel.manifest.openapi(),
    memory: inMemory(kernel),
    client: byClient(url, module.echo),
    values: byValues(byClient(url, withValues(module.echo, contract))),
    python: bridge === undefined ? {} : { python: byPython(bridge) },
    [Symbol.asyncDispose]: async () => {
      await bridge?.close();
      await kernel.close();
      project[Symbol.dispose]();
    },
  };
};

const inMemory = (kernel: Kernel): CallConstruct => {
  const transport = kernel.connect();
  return async (name, input) => {
    const outcome = await transport.call(`echo.${name}`, input);
    return outcome.ok ? { ok: true, value: outcome.value } : refusal(outcome.error);
  };
};

/** An error as any client gets it. */
export const refusal = ({
  code,
  issues,
}: {
  readonly code: string;
  readonly issues?: readonly { readonly path: string }[] | undefined;
}): CallResult => ({
  ok: false,
  code,
  hasPlaces: (issues ?? []).length > 0,
});

const byClient = (url: string, descriptor: ServiceDescriptor): CallConstruct => {
  // Called by name: the types of these procedures are made while the test runs.
  const client: Readonly<Record<string, unknown>> = createClient<never>(descriptor as never, fetchTransport({ url }), {
    retry: false,
  });
  return async (name, input) => {
    const call = client[name];
    if (typeof call !== "function") throw new Error(`the client has no ${name}`);
    try {
      return { ok: true, value: await call(input) };
    } catch (cause) {
      if (cause instanceof ClientError) return refusal(cause);
      throw cause;
    }
  };
};

const byPython = (bridge: PythonBridge): CallConstruct => {
  let id = 0;
  return async (procedure, input) => {
    id += 1;
    const outcome = await bridge.send({ id, module: "echo_clients.echo", className: "Echo", procedure, input });
    return outcome.ok ? { ok: true, value: outcome.value } : refusal(outcome.error);
  };
};

export interface EchoCase extends Echo {
  readonly input: unknown;
}

/** Random inputs for every construct, whatever the types of clients say of them. */
export const echoCases = (seed: number, count: number): readonly EchoCase[] =>
  echoes.flatMap(({ name, source }, index) => {
    const { lowered } = tryField(evaluate(source), "input");
    return (
      fc
        .sample(schemaValues(lowered.json), { seed: seed + index, numRuns: count })
        .map((value) => JSON.stringify(value))
        // The kernel refuses this key by name before it decodes.
        .filter((text) => !text.includes('"__proto__"'))
        .map((text): unknown => JSON.parse(text))
        .map((input) => ({ name, source, input }))
    );
  });

const queryType = (name: string): string | undefined => {
  const source = echoes.find((echo) => echo.name === name)?.source;
  if (source === undefined) return undefined;
  const field = z.object({ it: evaluate(source) });
  return queryParameters(query({ summary: "x", input: field, output: field })).get("it");
};

/** Whether a query string can have it: one scalar of the field's type. */
export const fitsQuery = (name: string, input: unknown): boolean => {
  if (typeof input !== "object" || input === null || Object.keys(input).join() !== "it") return false;
  const value: unknown = Reflect.get(input, "it");
  return typeof value === queryType(name) && (typeof value !== "string" || value.isWellFormed());
};

interface EchoContract {
  readonly decode: ReturnType<typeof decoder<unknown>>;
  readonly encode: ReturnType<typeof encoder<unknown>>;
}

const contracts = new Map<string, EchoContract>();

/** What the contract of a construct itself says. */
const findContract = (name: string): EchoContract => {
  const known = contracts.get(name);
  if (known !== undefined) return known;
  const source = echoes.find((echo) => echo.name === name)?.source;
  if (source === undefined) throw new Error(`no construct is called ${name}`);
  const schema = z.object({ it: evaluate(source) });
  const contract = { decode: decoder<unknown>(schema), encode: encoder<unknown>(schema) };
  contracts.set(name, contract);
  return contract;
};

const byContract: CallConstruct = async (name, input) => {
  const contract = findContract(name);
  const decoded = contract.decode(input);
  if (!decoded.ok) return refusal({ code: "invalid_argument", issues: decoded.issues });
  const encoded = contract.encode(decoded.value);
  if (!encoded.ok) return { ok: false, code: "internal", hasPlaces: false };
  return { ok: true, value: toJson(encoded.value) };
};

const byValues =
  (call: CallConstruct): CallConstruct =>
  async (name, input) => {
    const { decode, encode } = findContract(name);
    const decoded = decode(input);
    if (!decoded.ok) return refusal({ code: "invalid_argument", issues: decoded.issues });
    const result = await call(name, decoded.value);
    if (!result.ok) return result;
    const encoded = encode(result.value);
    return encoded.ok ? { ok: true, value: toJson(encoded.value) } : { ok: false, code: "internal", hasPlaces: false };
  };

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export interface Difference {
  readonly source: string;
  readonly input: string;
  readonly results: Readonly<Record<string, CallResult>>;
}

/** Cases under way at once. */
const together = 8;

/** The calls on which the callers do not agree, each with what every one of them said. */
export const findDifferences = async (
  cases: readonly EchoCase[],
  callers: Readonly<Record<string, CallConstruct>>,
): Promise<readonly Difference[]> => {
  const compare = async ({ name, source, input }: EchoCase): Promise<readonly Difference[]> => {
    const asked = Object.entries({ contract: byContract, ...callers });
    const answers = await Promise.all(asked.map(async ([caller, call]) => [caller, await call(name, input)] as const));
    const results = Object.fromEntries(answers);
    const texts = new Set(answers.map(([, result]) => JSON.stringify(result)));
    return texts.size > 1 ? [{ source, input: JSON.stringify(input), results }] : [];
  };
  const found: Difference[] = [];
  // Several at once: one by one, each client waits for all others, and the processes for each other.
  for (let at = 0; at < cases.length; at += together)
    found.push(...(await Promise.all(cases.slice(at, at + together).map(compare))).flat());
  return found;
};
