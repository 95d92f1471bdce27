/** A contract file that was loaded, judged. Not here: what the judgements are (`check`), and how it was loaded (`load-session`). */
import { checkService } from "../check/service.ts";
import type { Diagnostic } from "../model/diagnostics.ts";
import type { ServiceModel } from "../model/model.ts";
import { describeUnreadable } from "./failure.ts";
import type { ContractFile } from "./find.ts";
import type { LoadedFile } from "./read.ts";

/** A contract file after its checks. */
export interface CheckedFile {
  readonly services: readonly ServiceModel[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Here and not in the thread, which would have to read the checks' modules first. */
export const checkFile = (contract: ContractFile, { services, diagnostics }: LoadedFile): CheckedFile => {
  try {
    const found = services.flatMap((service) => checkService(service, contract.builtIn));
    return { services, diagnostics: [...diagnostics, ...found] };
  } catch (failure) {
    return { services: [], diagnostics: [describeUnreadable(contract, services[0]?.id ?? "", failure)] };
  }
};
