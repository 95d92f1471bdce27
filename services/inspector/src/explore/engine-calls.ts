/**
 * Runs a getter or method under V8's check for side effects: it ends at the first step that could change something that was there before. Reading an
 * import or remembering a result counts as such a step, which is said of that member. Only what is asked for is run, one call a step.
 */

import type { Runtime } from "node:inspector";
import { fault } from "@fairlead/linq";
import type { CheckedCalls } from "../host/checked-calls.ts";
import { ignoreRejection } from "../host/host-code.ts";
import { maskText } from "../host/redaction.ts";
import type { EngineSession } from "./engine-session.ts";

/** Milliseconds that one call may take. */
const mostMs = 50;

/** A global name, while a call runs: V8's check lets no symbol be looked up. */
const slot = "fairlead.inspector.called";

interface MemberCall {
  readonly owner: object;
  readonly name: string;
  /** None for a getter. */
  readonly values: readonly unknown[] | undefined;
}

const expressions = {
  getter: `({ value: globalThis["${slot}"].owner[globalThis["${slot}"].name] })`,
  method: `({ value: globalThis["${slot}"].owner[globalThis["${slot}"].name](...globalThis["${slot}"].values) })`,
};

export class EngineCalls implements CheckedCalls {
  readonly #engine: EngineSession;

  constructor(engine: EngineSession) {
    this.#engine = engine;
  }

  read(owner: object, name: string): unknown {
    return this.#run({ owner, name, values: undefined });
  }

  call(owner: object, name: string, values: readonly unknown[]): unknown {
    return this.#run({ owner, name, values });
  }

  /** The engine describes what an expression gives, which would run getters of an error: therefore the value stays within an object. */
  #run(called: MemberCall): unknown {
    const found: unknown[] = [];
    const take = (value: unknown): void => {
      found.push(value);
    };
    Object.defineProperty(globalThis, slot, { value: { ...called, take }, configurable: true });
    try {
      const ran = this.#engine.post<Runtime.EvaluateReturnType>("Runtime.evaluate", {
        expression: called.values === undefined ? expressions.getter : expressions.method,
        throwOnSideEffect: true,
        silent: true,
        timeout: mostMs,
      });
      if (ran === undefined) throw refused(called, `takes longer than ${mostMs} ms`);
      if (ran.exceptionDetails !== undefined) throw refused(called, whyNot(ran.exceptionDetails));
      this.#take(ran.result.objectId);
    } finally {
      Reflect.deleteProperty(globalThis, slot);
    }
    const [value] = found;
    return ignoreRejection(value);
  }

  #take(objectId: string | undefined): void {
    const functionDeclaration = `function () { globalThis["${slot}"].take(this.value); }`;
    this.#engine.post("Runtime.callFunctionOn", { objectId, functionDeclaration, silent: true });
    this.#engine.post("Runtime.releaseObject", { objectId });
  }
}

const refused = ({ name, values }: MemberCall, why: string): Error =>
  fault(
    "not_readable",
    `'${name}' ${why}`,
    `it is a ${values === undefined ? "getter" : "method"} without a declaration; declare the class and mark it`,
  );

const whyNot = ({ text, exception }: Runtime.ExceptionDetails): string => {
  const [first = text] = (exception?.description ?? text).split("\n", 1);
  return first.startsWith("EvalError: Possible side-effect")
    ? "was refused by V8: it may change something"
    : `failed: ${maskText(first.slice(0, 200))}`;
};
