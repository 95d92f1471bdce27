/** Starts a job: a run of a procedure, for the service that asks. Exactly one for each key. */
import { type CallerInput, type Contract, FairleadError, type Procedure } from "@fairlead/contracts";
import { kernel } from "@fairlead/contracts/kernel";
import * as Effect from "effect/Effect";
import type { Host } from "../service/host.ts";

/** Names of the procedures of a contract that can be calls. Whether one can be started is known when it is asked for. */
export type JobName<C extends Contract> = {
  readonly [N in keyof C["procedures"] & string]: C["procedures"][N]["kind"] extends "subscription" ? never : N;
}[keyof C["procedures"] & string];

export type JobInput<C extends Contract, N extends JobName<C>> = CallerInput<C["procedures"][N]>;

/** What is started: by its full name, its input as JSON. */
export interface JobRequest {
  readonly procedure: string;
  readonly input: unknown;
  readonly key: string;
}

/** Starts it as the service itself, whoever is served at the moment. True where there was no run with that key. */
export const makeStartJob = (host: Host): ((request: JobRequest) => Effect.Effect<boolean, FairleadError>) => {
  const { startRun } = host.peer(kernel);
  return ({ input, ...request }) =>
    Effect.tryPromise({
      try: () => startRun({ ...request, input: input as never }, { detached: true }).then(({ created }) => created),
      catch: (cause) =>
        cause instanceof FairleadError
          ? cause
          : new FairleadError({ code: "unavailable", message: String(cause) }, { cause }),
    });
};

/** True for what may pass: the job is to be started later. */
export const mayPass = ({ code }: FairleadError): boolean =>
  ["unavailable", "resource_exhausted", "deadline_exceeded", "aborted", "canceled", "unknown", "internal"].includes(
    code,
  );

/** The procedure of that name; throws for one that cannot be started. */
export const findJob = (contract: Contract, name: string): Procedure => {
  const procedure = Object.hasOwn(contract.procedures, name) ? contract.procedures[name] : undefined;
  if (procedure?.run !== undefined) return procedure;
  throw new TypeError(`${contract.id}.${name} is not a procedure that can be started: its contract needs \`run\``);
};
