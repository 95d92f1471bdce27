/** What Path of Building refuses becomes an error that the procedure declares; any other error stays a defect. */
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import { FairleadError } from "@fairlead/kernel/service";
import { SubprocessError } from "@fairlead/kernel/subprocess";
import { type EngineCode, EngineError } from "../engine/engine.ts";

type Reason = "not_loaded" | "unknown_tree" | "bad_change" | "unsupported";

/** A call of a procedure that declares these errors. */
interface DeclaringCall<R extends Reason> {
  fail(reason: R, text: { readonly message: string }): FairleadError;
}

const declaredReasons: Readonly<Partial<Record<EngineCode, Reason>>> = {
  not_loaded: "not_loaded",
  unknown_tree: "unknown_tree",
  unknown_class: "unknown_tree",
  bad_change: "bad_change",
  unsupported: "unsupported",
};

/** Waits for Path of Building; its refusals become those errors that the procedure declares. */
export const withDeclaredErrors = async <A, R extends Reason>(
  work: Promise<A>,
  call: DeclaringCall<NoInfer<R>>,
  declared: readonly R[],
): Promise<A> => {
  try {
    return await work;
  } catch (error) {
    if (isOutOfMemory(error)) throw outOfMemoryError();
    if (!(error instanceof EngineError)) throw error;
    const reason = declared.find((one) => one === declaredReasons[error.code]);
    throw reason === undefined ? error : call.fail(reason, { message: error.message });
  }
};

/** Lua reports it while it can; without the memory for that, it exits with these words. */
const outOfMemoryText = /not enough memory/;

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof EngineError
    ? error.code === "out_of_memory"
    : error instanceof SubprocessError && error.fault.kind === "exited" && outOfMemoryText.test(error.message);

/** No `resource_exhausted`: that says try again, and the same would happen again. */
const outOfMemoryError = (): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: "Path of Building ran out of memory for this; it was restarted with its build",
    hint: "ask for less at once, or allow more with POB_MEMORY_MB; a process gets twice as much, and no more",
  });

/** A stat that nothing computes; `path` is where the input names it. */
export const unknownStatError = (stat: string, known: Iterable<string>, path = "stat"): FairleadError => {
  const near = didYouMean(stat, known);
  const fix = near === undefined ? "lua_get_stats lists the names of this build's stats" : `did you mean ${near}?`;
  return new FairleadError({
    code: "invalid_argument",
    message: `${path}: Path of Building computes no stat ${JSON.stringify(stat)} for this build`,
    issues: [{ path, expected: "the name of a stat", fix }],
    hint: fix,
  });
};

/** What the procedures declare: those that read, set a tree, need our own shim, or do all of it. */
export const readErrors = ["not_loaded"] as const;
export const treeErrors = ["not_loaded", "unknown_tree", "bad_change"] as const;
export const supportErrors = ["not_loaded", "unsupported"] as const;
export const changeErrors = ["not_loaded", "unknown_tree", "bad_change", "unsupported"] as const;
