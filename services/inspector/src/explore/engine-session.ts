/** A session with V8's inspector on this thread, opened on first use. What it is asked is the business of `v8-view.ts`. */
import { Session } from "node:inspector";

const slot = Symbol.for("fairlead.inspector.shown");

export class EngineSession {
  #session: Session | undefined;

  /** Passes something to the engine by an expression for a property that exists only while `use` runs. */
  passing<T>(value: object, use: (expression: string) => T): T {
    Object.defineProperty(globalThis, slot, { value, configurable: true });
    try {
      return use(`globalThis[Symbol.for(${JSON.stringify(slot.description)})]`);
    } finally {
      Reflect.deleteProperty(globalThis, slot);
    }
  }

  /** The session of this thread answers before `post` returns. */
  post<T>(method: string, parameters: object): T | undefined {
    if (this.#session === undefined) {
      this.#session = new Session();
      this.#session.connect();
    }
    let answer: T | undefined;
    this.#session.post(method, parameters, (error: Error | null, result?: object) => {
      if (error === null) answer = result as T;
    });
    return answer;
  }

  close(): void {
    this.#session?.disconnect();
    this.#session = undefined;
  }
}
