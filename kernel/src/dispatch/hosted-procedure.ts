/**
 * A procedure as the kernel hosts it: its contract's data with defaults filled in, decoders compiled on first use, its places and its
 * figures. Not here: running it (`run.ts`).
 */
import {
  type AccessLevel,
  type Decoder,
  decoder,
  defaultLimits,
  defaultOutputLimits,
  deprecatedFields,
  encoder,
  encodingSchema,
  FairleadError,
  type OutputLimits,
  type Policy,
  type Procedure,
  policyDefaults,
} from "@fairlead/contracts";
import { type ByteSource, type CallRequest, DownloadAnswer } from "../call/call.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import { exceededLimit, findNonJson, issuesText } from "../limits/output-size.ts";
import type { Metrics, ProcedureMetrics } from "../observe/metrics.ts";
import type { Admission, Bulkhead, Priority } from "../policy/admission.ts";
import type { RateUse } from "../policy/rate.ts";
import type { CatalogEntry } from "../transport/transport.ts";

interface HostedProcedureParts {
  readonly metrics: Metrics;
  /** Makes what decides who may run. */
  readonly admission: (procedure: string, bulkhead: Bulkhead) => Admission;
}

export class HostedProcedure {
  readonly entry: CatalogEntry;
  readonly instance: ServiceInstance;
  /** Name within its contract. */
  readonly name: string;
  readonly policy: Policy;
  readonly access: AccessLevel;
  /** Milliseconds; `Infinity` for subscriptions. */
  readonly deadlineMs: number;
  /** Streams that may be open at once; undefined for what is not a subscription. */
  readonly streams: number | undefined;
  readonly priority: Priority;
  readonly rateUse: RateUse;
  readonly admission: Admission;
  readonly metrics: ProcedureMetrics;
  #decode: Decoder<unknown> | undefined;
  #encode: Decoder<unknown> | undefined;
  readonly #outputLimits: OutputLimits;
  #deprecatedParts: readonly string[] | undefined;
  readonly #errorData = new Map<string, Decoder<unknown>>();

  constructor(instance: ServiceInstance, name: string, { metrics, admission }: HostedProcedureParts) {
    const procedure = findProcedure(instance, name);
    const policy: Policy = procedure.policy ?? {};
    const fullName = `${instance.id}.${name}`;
    this.policy = policy;
    this.instance = instance;
    this.name = name;
    this.access = procedure.access ?? (procedure.kind === "mutation" ? "call" : "read");
    this.entry = {
      name: fullName,
      service: instance.id,
      contract: instance.contract,
      procedure,
      access: this.access,
      limits: { ...defaultLimits, ...policy.limits },
    };
    this.#outputLimits = { ...defaultOutputLimits, ...policy.outputLimits };
    this.deadlineMs =
      procedure.kind === "subscription" ? Number.POSITIVE_INFINITY : (policy.deadlineMs ?? policyDefaults.deadlineMs);
    this.streams = procedure.kind === "subscription" ? (policy.streams ?? policyDefaults.streams) : undefined;
    this.priority = instance.id === "kernel" ? "urgent" : "normal";
    this.rateUse = this.streams === undefined ? (this.priority === "urgent" ? "urgent" : "call") : "stream";
    const { concurrency = policyDefaults.concurrency, queue = policyDefaults.queue } = policy;
    this.admission = admission(
      fullName,
      this.streams === undefined ? { concurrency, queue } : { concurrency: this.streams, queue: 0, unit: "streams" },
    );
    this.metrics = metrics.procedure(fullName, this.admission);
  }

  get decode(): Decoder<unknown> {
    this.#decode ??= decoder(this.entry.procedure.input);
    return this.#decode;
  }

  /** An answer, or an event, on the contract's wire side. Throws for one that the contract does not allow: a defect of the service. */
  checked(output: unknown): unknown {
    const { procedure } = this.entry;
    if (procedure.kind !== "query" || procedure.download === undefined) return this.#checkedValue(output);
    const source = toSource(output);
    const { name, type, size, etag } = source;
    const { types } = procedure.download;
    if (!isOfType(type, types))
      throw new Error(`${this.entry.name} gave a file of type ${type}, and its contract has ${types?.join(", ")}`);
    if (!isMediaType(type)) throw new Error(`${this.entry.name} gave a file of a type that is not a media type`);
    if (etag !== undefined && !isTag(etag))
      throw new Error(`${this.entry.name} gave a file with an etag that is not visible ASCII without quotes`);
    // Fields without a value are none to the contract.
    const description = JSON.parse(JSON.stringify({ name, type, size, etag }));
    return new DownloadAnswer(this.#checkedValue(description), source);
  }

  #checkedValue(output: unknown): unknown {
    this.#encode ??= encoder(this.entry.procedure.output);
    const { name } = this.entry;
    const result = this.#encode(output);
    if (!result.ok) {
      const what = issuesText(result.issues, output);
      const error = new Error(`${name} gave what its contract does not allow: ${what}`, { cause: result.issues });
      // The handler has returned: the stack would be that of the kernel.
      error.stack = `Error: ${error.message}`;
      throw error;
    }
    const excess = exceededLimit(result.value, this.#outputLimits);
    if (excess === undefined) return result.value;
    if (excess === "form") {
      const { path, what } = findNonJson(result.value) ?? { path: "", what: "a value" };
      throw new Error(
        `${name} gave ${what} at \`${path}\`, which JSON has no form for; describe it with a codec of the contract`,
      );
    }
    const most = this.#outputLimits[excess];
    throw new Error(
      `${name} gave more than its policy allows: over ${most} ${excess === "bytes" ? "bytes" : "levels"}`,
    );
  }

  /**
   * The error on the wire side when it is as the contract declares it: a known reason with data that fits. Nothing when it is not.
   * Infrastructure errors have no reason.
   */
  encodeError(error: FairleadError): FairleadError | undefined {
    if (error.reason === undefined) return error;
    const declaration = this.entry.procedure.errors?.[error.reason];
    if (declaration === undefined || declaration.code !== error.code) return undefined;
    if (declaration.data === undefined) return error.data === undefined ? error : undefined;
    const encode = this.#errorData.get(error.reason) ?? encoder<unknown>(declaration.data);
    this.#errorData.set(error.reason, encode);
    const data = encode(error.data);
    if (!data.ok) return undefined;
    const isEncoded = encodingSchema(declaration.data) !== declaration.data;
    return isEncoded ? new FairleadError({ ...error.toJSON(), data: data.value }, { cause: error }) : error;
  }

  /** Counts what a call uses of that which the contract deprecates. */
  countDeprecated({ input, principal }: CallRequest): void {
    const { procedure } = this.entry;
    this.#deprecatedParts ??= [
      ...(procedure.deprecated === undefined ? [] : [""]),
      ...deprecatedFields(procedure.input),
    ];
    for (const part of this.#deprecatedParts)
      if (part === "" || (typeof input === "object" && input !== null && Object.hasOwn(input, part)))
        this.metrics.countDeprecated(part, principal.id);
  }

  /** True when a repeat of this very call does no harm. */
  repeatable({ idempotencyKey }: CallRequest): boolean {
    const { retry } = this.entry.procedure;
    return retry === "keyed" ? idempotencyKey !== undefined : retry !== "unsafe";
  }
}

/** A `Blob` as the file that it is; what is neither is for the contract to refuse. */
const toSource = (output: unknown): ByteSource => {
  if (!(output instanceof Blob)) {
    if (typeof output === "object" && output !== null && "open" in output) return output as ByteSource;
    throw new TypeError("a download gave neither a Blob nor a ByteSource");
  }
  return {
    type: output.type === "" ? "application/octet-stream" : output.type,
    name: output instanceof File ? output.name : undefined,
    size: output.size,
    open: (range) => (range === undefined ? output : output.slice(range.start, range.end + 1)).stream(),
  };
};

/** True for what a header may say of a file: `type/subtype` in at most 255 characters of printable ASCII. */
export const isMediaType = (type: string): boolean =>
  String(type).indexOf("/") > 0 && type.length <= 255 && [...type].every((char) => char >= " " && char <= "~");

/** True for what a header may say of its version: visible ASCII without quotes. */
const isTag = (etag: string): boolean => [...etag].every((char) => char > " " && char <= "~" && char !== '"');

/** True where the media type is one of these; `image/*` is every image. Parameters like a charset do not count. */
export const isOfType = (type: unknown, types: readonly string[] | undefined): boolean => {
  if (types === undefined) return true;
  const [essence = ""] = String(type).toLowerCase().split(";");
  const [family = ""] = essence.split("/");
  return types.some((each) => [essence.trim(), `${family}/*`, "*/*"].includes(each.toLowerCase()));
};

const findProcedure = (instance: ServiceInstance, name: string): Procedure => {
  const procedure = instance.contract.procedures[name];
  if (procedure === undefined)
    throw new FairleadError({ code: "internal", message: `${instance.id} has no procedure ${name}` });
  return procedure;
};
