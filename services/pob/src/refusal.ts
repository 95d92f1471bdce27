/** What Path of Building refuses becomes an error that the procedure declares; what nobody declared stays a defect. */
import type { FairleadError } from "@fairlead/kernel/service";
import { type EngineCode, EngineError } from "./engine.ts";

type Reason = "not_loaded" | "unknown_tree" | "bad_change" | "unsupported";

/** A call of a procedure that declares these errors. */
interface Refusing<R extends Reason> {
  fail(reason: R, text: { readonly message: string }): FairleadError;
}

const reasonOf: Readonly<Partial<Record<EngineCode, Reason>>> = {
  not_loaded: "not_loaded",
  unknown_tree: "unknown_tree",
  unknown_class: "unknown_tree",
  bad_change: "bad_change",
  unsupported: "unsupported",
};

/** Waits for Path of Building; its refusals become those errors that the procedure declares. */
export const asked = async <A, R extends Reason>(
  work: Promise<A>,
  call: Refusing<NoInfer<R>>,
  declared: readonly R[],
): Promise<A> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const reason = declared.find((one) => one === reasonOf[error.code]);
    throw reason === undefined ? error : call.fail(reason, { message: error.message });
  }
};

/** What the procedures declare: those that read, set a tree, need our own shim, or do all of it. */
export const reads = ["not_loaded"] as const;
export const trees = ["not_loaded", "unknown_tree"] as const;
export const some = ["not_loaded", "unsupported"] as const;
export const all = ["not_loaded", "unknown_tree", "bad_change", "unsupported"] as const;
