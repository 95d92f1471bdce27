/**
 * A procedure made ready to be called: decoders compiled on first use, policy turned into the objects that apply it.
 */
import {
  type AccessLevel,
  type Decoder,
  decoder,
  defaultLimits,
  defaultOutputLimits,
  FairleadError,
  type OutputLimits,
  type Policy,
  type Procedure,
  policyDefaults,
} from "@fairlead/contracts";
import type { CallRequest } from "../call/call.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import { exceededLimit } from "../limits/output-size.ts";
import type { Metrics, ProcedureMetrics } from "../observe/metrics.ts";
import { Admission } from "../policy/admission.ts";
import { type BreakerState, closed } from "../policy/breaker.ts";
import { RetryBudget } from "../policy/retry.ts";
import type { CatalogEntry } from "../transport/transport.ts";

export class HostedProcedure {
  readonly entry: CatalogEntry;
  readonly instance: ServiceInstance;
  /** Name within its contract. */
  readonly name: string;
  readonly policy: Policy;
  readonly access: AccessLevel;
  /** Milliseconds; `Infinity` for subscriptions. */
  readonly deadlineMs: number;
  readonly admission: Admission;
  readonly metrics: ProcedureMetrics;
  readonly budget = new RetryBudget();
  breaker: BreakerState = closed;
  #decode: Decoder<unknown> | undefined;
  #check: Decoder<unknown> | undefined;
  readonly #outputLimits: OutputLimits;
  readonly #errorData = new Map<string, Decoder<unknown>>();

  constructor(instance: ServiceInstance, name: string, metrics: Metrics) {
    const procedure = procedureOf(instance, name);
    const policy: Policy = procedure.policy ?? {};
    const fullName = `${instance.id}.${name}`;
    this.policy = policy;
    this.instance = instance;
    this.name = name;
    this.entry = {
      name: fullName,
      service: instance.id,
      contract: instance.contract,
      procedure,
      limits: { ...defaultLimits, ...policy.limits },
    };
    this.#outputLimits = { ...defaultOutputLimits, ...policy.outputLimits };
    this.access = procedure.access ?? (procedure.kind === "mutation" ? "call" : "read");
    this.deadlineMs =
      procedure.kind === "subscription" ? Number.POSITIVE_INFINITY : (policy.deadlineMs ?? policyDefaults.deadlineMs);
    this.admission = new Admission(
      fullName,
      policy.concurrency ?? policyDefaults.concurrency,
      policy.queue ?? policyDefaults.queue,
    );
    this.metrics = metrics.procedure(fullName, this.admission);
  }

  get decode(): Decoder<unknown> {
    this.#decode ??= decoder(this.entry.procedure.input);
    return this.#decode;
  }

  /** An answer, or an event, as the contract has it. Throws for one that the contract does not allow: a defect of the service. */
  checked(output: unknown): unknown {
    this.#check ??= decoder(this.entry.procedure.output);
    const { name } = this.entry;
    const result = this.#check(output);
    if (!result.ok) throw new Error(`${name} gave what its contract does not allow`, { cause: result.issues });
    const excess = exceededLimit(result.value, this.#outputLimits);
    if (excess === undefined) return result.value;
    const most = this.#outputLimits[excess];
    throw new Error(
      `${name} gave more than its policy allows: over ${most} ${excess === "bytes" ? "bytes" : "levels"}`,
    );
  }

  /** True when the error is as the contract declares it: a known reason with data that fits. Infrastructure errors have no reason. */
  declares(error: FairleadError): boolean {
    if (error.reason === undefined) return true;
    const declaration = this.entry.procedure.errors?.[error.reason];
    if (declaration === undefined || declaration.code !== error.code) return false;
    if (declaration.data === undefined) return error.data === undefined;
    const decode = this.#errorData.get(error.reason) ?? decoder<unknown>(declaration.data);
    this.#errorData.set(error.reason, decode);
    return decode(error.data).ok;
  }

  /** True when a repeat of this very call does no harm. */
  repeatable({ idempotencyKey }: CallRequest): boolean {
    const { retry } = this.entry.procedure;
    return retry === "keyed" ? idempotencyKey !== undefined : retry !== "unsafe";
  }
}

const procedureOf = (instance: ServiceInstance, name: string): Procedure => {
  const procedure = instance.contract.procedures[name];
  if (procedure === undefined)
    throw new FairleadError({ code: "internal", message: `${instance.id} has no procedure ${name}` });
  return procedure;
};
