/**
 * What a call in another form needs: the procedure as the kernel describes it, the kernel's address, and the clients that the project has generated.
 */
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { ProcedureDescriptor } from "@fairlead/client";
import {
  type PythonNames,
  printSnippet,
  resolveRef,
  type SnippetCall,
  type SnippetFile,
  type SnippetForm,
  snippetForms,
} from "@fairlead/kernel/reference";
import type { Context } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";
import type { KernelConnection } from "../kernel/connection.ts";
import { createKernelClient, describeService, type ProcedureDescription } from "../kernel/kernel-client.ts";
import { relayedTool } from "../kernel/relayed-tool.ts";
import { usualAddress } from "../kernel/running-address.ts";
import { findOwner, statePlace } from "../owner/place.ts";
import { isRecord, type JsonRecord } from "../text/record.ts";

/** A call that is shown, not made. */
interface ShownCall {
  readonly name: string;
  readonly input: unknown;
  readonly idempotencyKey?: string | undefined;
  /** As `--file`, `--media-type` and `--out` say. */
  readonly file?: FileFlags;
}

interface FileFlags {
  readonly file?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly out?: string | undefined;
}

/** The call in one form, on stdout. */
export const showCall = async (
  context: Context,
  kernel: KernelConnection,
  { as, ...shown }: ShownCall & { readonly as: string },
): Promise<void> => {
  const form = snippetForms.find((known) => known === as);
  if (form === undefined) {
    throw new UsageError(`--as takes ${snippetForms.join(", ")}, not ${JSON.stringify(as)}`, "choose one of them");
  }
  const snippet = printSnippet(form, await collectCall(context, kernel, shown));
  if (snippet === undefined) {
    throw new UsageError(`${shown.name} is not an MCP tool`, "show it as curl, typescript or python");
  }
  context.print({ form, snippet }, () => snippet);
};

/** The call in every form that it has. */
export const allForms = async (
  context: Context,
  kernel: KernelConnection,
  shown: ShownCall,
): Promise<Readonly<Partial<Record<SnippetForm, string>>>> => {
  const call = await collectCall(context, kernel, shown);
  return Object.fromEntries(
    snippetForms.flatMap((form) => {
      const snippet = printSnippet(form, call);
      return snippet === undefined ? [] : [[form, snippet]];
    }),
  );
};

/** The file of a call whose procedure takes or gives one; where none is named, one that a reader replaces. */
const callFile = (
  cwd: string,
  { name, upload, download }: ProcedureDescriptor,
  { file, mediaType, out }: FileFlags = {},
): SnippetFile | undefined => {
  if (file === "-" || out === "-") throw new UsageError("--as shows a file by its path", "name one in place of -");
  if (file !== undefined && upload !== true) throw new UsageError(`${name} takes no file`, "leave --file out");
  if (out !== undefined && download !== true) throw new UsageError(`${name} gives no file`, "leave --out out");
  if (upload !== true && download !== true) return undefined;
  const path = file ?? out ?? "file";
  const at = { path, absolutePath: resolve(cwd, path) };
  return download === true
    ? { way: "got", ...at }
    : { way: "sent", ...at, ...(mediaType !== undefined && { type: mediaType }) };
};

const collectCall = async (
  context: Context,
  kernel: KernelConnection,
  { name, input, idempotencyKey, file: flags }: ShownCall,
): Promise<SnippetCall> => {
  const descriptor = await kernel.procedure(name);
  const { kind, retry, path } = descriptor;
  const file = callFile(context.cwd, descriptor, flags);
  const service = name.split(".")[0] ?? name;
  const procedure = name.slice(service.length + 1);
  const isRelayed = relayedTool(name) !== undefined;
  const tool = isRelayed ? procedure : [...(await kernel.tools())].find(([, each]) => each === name)?.[0];
  return {
    url: await kernelAddress(context),
    needsToken: context.token() !== undefined,
    ...{ service, procedure, kind, retry, path, input },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(tool !== undefined && { tool }),
    ...(file !== undefined && { file }),
    ...(!isRelayed && (await generatedClients(context, kernel, { service, procedure }))),
  };
};

/** Where others reach the kernel: as named, as the owner of the project's state says, or where it would listen. */
const kernelAddress = async (context: Context): Promise<string> => {
  if (context.url !== undefined) return context.url;
  const { record } = await findOwner((await statePlace(context)).folder);
  return record?.url ?? usualAddress(context);
};

/** The project's own clients, where it has generated them. */
const generatedClients = async (
  context: Context,
  kernel: KernelConnection,
  { service, procedure }: Pick<SnippetCall, "service" | "procedure">,
): Promise<Pick<SnippetCall, "typescriptModule" | "python">> => {
  // The kernel that was asked may be configured with what this shell does not have.
  if ((await statePlace(context)).unevaluated !== undefined) return {};
  const options = await genOptions(context);
  const { clientModule } = await import("@fairlead/codegen/client-names");
  const typescriptModule = clientModule(options, service, context.cwd);
  const { root, config } = options;
  const python = config.python === undefined ? undefined : join(root, config.python);
  return {
    ...(typescriptModule !== undefined && { typescriptModule }),
    ...(python !== undefined &&
      existsSync(join(python, `${service}.py`)) && {
        python: await pythonNames(context, kernel, { package: basename(python), service, procedure }),
      }),
  };
};

const pythonNames = async (
  context: Context,
  kernel: KernelConnection,
  {
    package: name,
    service,
    procedure,
  }: { readonly package: string; readonly service: string; readonly procedure: string },
): Promise<PythonNames> => {
  const { pythonArguments, pythonClass, pythonMethod, snakeNames } = await import("@fairlead/codegen/client-names");
  const { procedures } = await describeService(createKernelClient(context, kernel), service);
  const own = procedures.map((each) => each.name.slice(service.length + 1));
  const described = procedures.find((each) => each.name === `${service}.${procedure}`);
  const names = pythonArguments(fieldNames(described?.input ?? {}));
  return {
    package: name,
    class: pythonClass(service, new Set(procedures.flatMap(typeNames))),
    method: pythonMethod(snakeNames(own).get(procedure) ?? procedure),
    ...(names !== undefined && { arguments: names }),
  };
};

const fieldNames = (input: JsonRecord): readonly string[] => {
  const { properties } = resolveRef(input, input);
  return isRecord(properties) ? Object.keys(properties) : [];
};

const typeNames = ({ input, output }: ProcedureDescription): readonly string[] =>
  [input, output].flatMap(({ $defs }) => (isRecord($defs) ? Object.keys($defs) : []));
