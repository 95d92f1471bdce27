/** Whether handlers match their contract: none missing, no others. Checked before any of them runs. */
import { type Contract, FairleadError } from "@fairlead/contracts";
import { findHandler } from "../service/handler.ts";

/** Throws a `failed_precondition` that names what does not match. */
export const checkHandlers = (contract: Contract, handlers: object): void => {
  const names = Object.keys(contract.procedures);
  const missing = names.filter((name) => findHandler(handlers, name) === undefined);
  const excess = Object.keys(handlers).filter((name) => !names.includes(name));
  if (missing.length === 0 && excess.length === 0) return;
  const words = [
    ...(missing.length > 0 ? [`has no handler for ${missing.join(", ")}`] : []),
    ...(excess.length > 0 ? [`has handlers its contract does not know: ${excess.join(", ")}`] : []),
  ];
  throw new FairleadError({
    code: "failed_precondition",
    message: `the service ${contract.id} ${words.join(" and ")}`,
    hint: "make contract and service agree",
  });
};
