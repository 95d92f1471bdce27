/**
 * Emits `app-router.ts`: the `AppRouter` type for a plain `@trpc/client`, written out flat instead of inferred from the router.
 *
 * An inferred router of 500 procedures costs the compiler millions of type instantiations, this one some ten thousand.
 */
import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { block, deprecationTag, docComment, importTypes, propertyKey, quote, typescript } from "../print/text.ts";
import { typesName } from "./client.ts";

const procedureTypes = {
  query: "TRPCQueryProcedure",
  mutation: "TRPCMutationProcedure",
  subscription: "TRPCSubscriptionProcedure",
} as const;

const shared = `/** What the \`data\` of an error holds, beside tRPC's own fields. */
export interface AppErrorData extends TRPCDefaultErrorData {
  error: {
    /** One of the sixteen infrastructure codes. */
    code: string;
    /** Name of the declared error; absent for infrastructure errors. */
    reason?: string;
    message: string;
    hint?: string;
    /** Data of a declared error. */
    data?: unknown;
    issues?: { path: string; expected: string; fix: string }[];
    id?: string;
    retryable: boolean;
    retryAfterMs?: number;
  };
  /** The issues of an input error once more, in the form that Zod's \`flatten\` gives. */
  zodError?: { formErrors: string[]; fieldErrors: Record<string, string[] | undefined> };
}

export interface AppErrorShape extends Omit<TRPCDefaultErrorShape, "data"> {
  data: AppErrorData;
}

interface Root {
  ctx: object;
  meta: object;
  errorShape: AppErrorShape;
  /** Links take no \`transformer\`: what goes over the wire is the JSON of the contracts, which have codecs for dates and the like. */
  transformer: false;
}

interface Def<T extends { input: unknown; output: unknown }> {
  input: T["input"];
  output: T["output"];
  meta: object;
  errorShape: AppErrorShape;
}`;

/** Only where there are subscriptions: each event comes with the id to resume from. */
const streamed = `interface StreamDef<T extends { input: unknown; output: unknown }> {
  input: T["input"];
  output: AsyncIterable<{ id: string; data: T["output"] }, void, unknown>;
  meta: object;
  errorShape: AppErrorShape;
}`;

/** Only where there are uploads: their input comes in a form, with the file. */
const uploaded = `interface UploadDef<T extends { output: unknown }> {
  /** A part \`input\` of JSON, then a part \`file\`. It takes a link that is not for batches. */
  input: FormData;
  output: T["output"];
  meta: object;
  errorShape: AppErrorShape;
}`;

export const emitAppRouter = ({ services, out }: GeneratorProject): readonly GeneratedFile[] => {
  const kinds = new Set(services.flatMap(({ procedures }) => procedures.map(({ kind }) => kind)));
  const names = [
    "TRPCBuiltRouter",
    "TRPCDefaultErrorData",
    "TRPCDefaultErrorShape",
    ...[...kinds].map((kind) => procedureTypes[kind]),
  ];
  const hasUploads = services.some(({ procedures }) => procedures.some(({ upload }) => upload !== undefined));
  const used = services.filter(({ procedures }) => procedures.length > 0);
  const imports = importTypes({
    ...Object.fromEntries(names.map((name) => [name, "@trpc/server"])),
    ...Object.fromEntries(used.map(({ id }) => [typesName(id), `./${id}.ts`])),
  });
  const record = block(
    "/** All procedures by service, with plain types. */\nexport type AppRecord = {",
    services.map(serviceRecord),
    "};",
  );
  const router =
    "/** For `createTRPCClient<AppRouter>`. Types only: there is no code behind it. */\nexport type AppRouter = TRPCBuiltRouter<Root, AppRecord>;";
  return [
    {
      path: `${out.client}/app-router.ts`,
      text: typescript(services, imports, [
        shared,
        ...(kinds.has("subscription") ? [streamed] : []),
        ...(hasUploads ? [uploaded] : []),
        record,
        router,
      ]),
    },
  ];
};

const serviceRecord = (service: ServiceModel): string => {
  const lines = service.procedures.map(
    (procedure) =>
      `${docComment(deprecationTag(procedure.deprecated))}${propertyKey(procedure.name)}: ${procedureType(procedure)};`,
  );
  return block(`${propertyKey(service.id)}: {`, lines, "};");
};

const procedureType = ({ service, name, kind, upload }: ProcedureModel): string => {
  const def = kind === "subscription" ? "StreamDef" : upload === undefined ? "Def" : "UploadDef";
  return `${procedureTypes[kind]}<${def}<${typesName(service)}[${quote(name)}]>>`;
};
