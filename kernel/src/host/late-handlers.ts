/**
 * The handlers of one life of a service: there from its start, or read when a call first needs one. Held to the contract before any
 * of them runs.
 *
 * Not here: which of the two a service does (its `start` says), and what becomes of a service whose code is broken (`lifecycle.ts`).
 */
import { type Contract, FairleadError } from "@fairlead/contracts";
import type { Handlers } from "../service/handler.ts";
import { findHandler } from "../service/handlers.ts";
import type { StartedService } from "../service/started-service.ts";
import { brokenCode } from "./broken-code.ts";

/** How much of a service's code is read when it starts: all of it, or what its start needs and the rest at the first call. */
export type CodeWanted = "all" | "needed";

export class LateHandlers {
  readonly #contract: Contract;
  readonly #given: StartedService<Contract>["handlers"];
  readonly #broken = Promise.withResolvers<FairleadError>();
  #now: Handlers<Contract> | undefined;
  #reading: Promise<void> | undefined;

  constructor(contract: Contract, given: StartedService<Contract>["handlers"]) {
    this.#contract = contract;
    this.#given = given;
    if (typeof given !== "function") this.#take(given);
  }

  /** `undefined` until they were read. */
  get now(): Handlers<Contract> | undefined {
    return this.#now;
  }

  /** Resolves when they could not be read. */
  get broken(): Promise<FairleadError> {
    return this.#broken.promise;
  }

  /** Reads them, once for all who ask. Rejects with a `FairleadError` (`failed_precondition`) when the code is broken. */
  read(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (typeof this.#given !== "function") return;
    try {
      this.#take(await this.#given());
    } catch (cause) {
      const error =
        cause instanceof FairleadError
          ? cause
          : brokenCode(`the service ${this.#contract.id}`, cause, "install it anew");
      this.#broken.resolve(error);
      throw error;
    }
  }

  #take(handlers: Handlers<Contract>): void {
    checkHandlers(this.#contract, handlers);
    this.#now = handlers;
  }
}

/** The handlers match the contract: none missing, none besides. */
const checkHandlers = (contract: Contract, handlers: object): void => {
  const names = Object.keys(contract.procedures);
  const missing = names.filter((name) => findHandler(handlers, name) === undefined);
  const besides = Object.keys(handlers).filter((name) => !names.includes(name));
  if (missing.length === 0 && besides.length === 0) return;
  const words = [
    ...(missing.length > 0 ? [`has no handler for ${missing.join(", ")}`] : []),
    ...(besides.length > 0 ? [`has handlers its contract does not know: ${besides.join(", ")}`] : []),
  ];
  throw new FairleadError({
    code: "failed_precondition",
    message: `the service ${contract.id} ${words.join(" and ")}`,
    hint: "make contract and service agree",
  });
};
