/** Between the contract's handlers and the targets: who may change them, and how a refusal becomes a declared error. */

import type inspector from "@fairlead/contracts/inspector";
import type { Call, FairleadError } from "@fairlead/kernel/service";
import { AttachError } from "./attach-error.ts";

type OwnersCall =
  | Call<(typeof inspector)["procedures"]["attach"]>
  | Call<(typeof inspector)["procedures"]["detach"]>
  | Call<(typeof inspector)["procedures"]["heap"]>;

interface FailingCall {
  fail(reason: string, text: { readonly message: string }, data?: unknown): FairleadError;
}

/** Runs work of the user who runs the kernel. Throws the declared error of a refusal. */
export const asOwner = async <T>(call: OwnersCall, work: () => Promise<T>): Promise<T> => {
  try {
    if (call.principal.isOwner !== true)
      throw new AttachError("not_owner", "Programs are attached by the user who runs this kernel only");
    return await work();
  } catch (error) {
    if (!(error instanceof AttachError)) throw error;
    // The named boundary: each procedure declares the reasons that its work can have.
    throw (call as unknown as FailingCall).fail(error.reason, { message: error.message }, error.data);
  }
};
