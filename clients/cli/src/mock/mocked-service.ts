/**
 * A service made of its contract alone: every procedure answers with a value that its output takes, or fails as it was asked to. The kernel in front
 * of it is the real one, so that decoding, access, deadlines, streams and every way in are as they will be.
 *
 * Not here: making the values (`answers`), reading the flags (`switches`).
 */
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import { SeededRandom } from "@fairlead/codegen";
import { type Contract, type ErrorDeclaration, FairleadError, isCode, type Procedure } from "@fairlead/contracts";
import { tracked } from "@fairlead/kernel/service";
import { isRecord } from "../text/record.ts";
import { deriveSeed, type ValueMaker, valueMaker } from "./answers.ts";
import type { FailureSwitch, Latency } from "./switches.ts";

export interface MockOptions {
  readonly seed: number;
  readonly latency: Latency | undefined;
  readonly failures: readonly FailureSwitch[];
  /** Items after which a stream ends; it goes on where it is left out. */
  readonly items: number | undefined;
  /** Milliseconds between two items. */
  readonly everyMs: number;
}

/** The part of a handler's call that a mock uses. */
interface MockCall {
  readonly signal: AbortSignal;
  readonly lastEventId: string | undefined;
  readonly file: AsyncIterable<Uint8Array> | undefined;
  fail(reason: string, text: { readonly message: string; readonly hint?: string }, data?: unknown): FairleadError;
}

type MockHandler = (input: unknown, call: MockCall) => unknown;

/** A service as `defineService` makes it. */
export const mockedService = (contract: Contract, options: MockOptions) => ({
  contract,
  start: () => ({
    handlers: Object.fromEntries(
      Object.entries(contract.procedures).map(([name, procedure]) => [
        name,
        mockedProcedure(`${contract.id}.${name}`, procedure, options),
      ]),
    ),
  }),
});

const mockedProcedure = (name: string, procedure: Procedure, options: MockOptions): MockHandler => {
  const output = valueMaker(procedure.output);
  const faults = new CallFaults(name, procedure, options);
  const answer = (input: unknown): unknown => {
    const made = output.make(deriveSeed(options.seed, name, input), input);
    if (made === undefined) throw noValue(name);
    return "paginated" in procedure ? lastPage(made.value, input) : made.value;
  };
  if (procedure.kind === "subscription") return (input, call) => stream({ name, input, output, options, faults, call });
  if ("download" in procedure && procedure.download !== undefined) {
    const [type] = procedure.download.types ?? [];
    return async (input, call) => {
      await faults.before(call);
      return file(type, deriveSeed(options.seed, name, input));
    };
  }
  return async (input, call) => {
    // A sender waits for its reader.
    if (call.file !== undefined) for await (const _ of call.file);
    await faults.before(call);
    return answer(input);
  };
};

interface MockStream {
  readonly name: string;
  readonly input: unknown;
  readonly output: ValueMaker;
  readonly options: MockOptions;
  readonly faults: CallFaults;
  readonly call: MockCall;
}

/** Numbered from 1, so that a reader may go on after the last item that it has. */
async function* stream({ name, input, output, options, faults, call }: MockStream) {
  const { signal, lastEventId } = call;
  await faults.before(call);
  const seen = Number(lastEventId ?? 0);
  for (let number = Number.isInteger(seen) ? seen + 1 : 1; number <= (options.items ?? Infinity); number += 1) {
    const made = output.make(deriveSeed(options.seed, name, input, number), input);
    if (made === undefined) throw noValue(name);
    yield tracked(String(number), made.value);
    if (number !== options.items) await delay(options.everyMs, undefined, { signal });
  }
}

/** What goes wrong with the calls of one procedure: drawn from the seed call by call, so that a repeat may go better. */
class CallFaults {
  readonly #name: string;
  readonly #errors: Readonly<Record<string, ErrorDeclaration>>;
  readonly #latency: Latency | undefined;
  readonly #failures: readonly FailureSwitch[];
  readonly #random: SeededRandom;

  constructor(name: string, { errors = {} }: Procedure, { seed, latency, failures }: MockOptions) {
    this.#name = name;
    this.#errors = errors;
    this.#latency = latency;
    this.#failures = failures.filter(({ procedure = name }) => procedure === name);
    this.#random = new SeededRandom(deriveSeed(seed, name));
  }

  /** Waits as long as an answer is to take, and throws where there is to be none. */
  async before(call: MockCall): Promise<void> {
    const failure = this.#failures.find(({ share }) => this.#random.next() < share);
    if (this.#latency !== undefined) {
      const wait = this.#random.between(this.#latency.least, this.#latency.most);
      await delay(wait, undefined, { signal: call.signal });
    }
    if (failure !== undefined) throw this.#failure(failure.error ?? this.#anyReason(), call);
  }

  #anyReason(): string {
    const reasons = Object.keys(this.#errors);
    return reasons[Math.floor(this.#random.next() * reasons.length)] ?? "unavailable";
  }

  #failure(error: string, call: MockCall): FairleadError {
    const hint = "the mock was asked for this with `--fail`";
    const declared = Object.hasOwn(this.#errors, error) ? this.#errors[error] : undefined;
    if (declared === undefined) {
      const code = isCode(error) ? error : "unavailable";
      return new FairleadError({
        code,
        message: `${this.#name} fails with ${code}`,
        hint,
        retryable: isTemporary(code),
      });
    }
    const text = { message: `${this.#name} fails: ${declared.when}`, hint: declared.hint ?? hint };
    if (declared.data === undefined) return call.fail(error, text);
    const made = valueMaker(declared.data).make(this.#random.seed());
    return made === undefined ? noValue(this.#name) : call.fail(error, text, made.value);
  }
}

const isTemporary = (code: string): boolean => code === "unavailable" || code === "resource_exhausted";

/** A list of two pages: whoever reads on comes to an end. */
const lastPage = (page: unknown, input: unknown): unknown => {
  const isFirst = !isRecord(input) || input.cursor === undefined;
  return { ...Object(page), next: isFirst ? "2" : null };
};

/** A picture of one pixel. */
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const file = (wanted = "*/*", seed: number): Blob => {
  const type = wanted
    .replace(/^\*\/\*$/, "text/plain")
    .replace(/^image\/\*$/, "image/png")
    .replace(/\/\*$/, "/plain");
  return new Blob([type === "image/png" ? Buffer.from(onePixel, "base64") : `A file of the mock, seed ${seed}.\n`], {
    type,
  });
};

const noValue = (name: string): FairleadError =>
  new FairleadError({
    code: "unimplemented",
    message: `no value of the output of ${name} could be made from its schema`,
    hint: "say what it takes in words of JSON Schema (`.min()`, `.regex()`, `z.enum`) in the place of a rule in code",
  });

/** Procedures without a value: what the mock cannot answer. Calls are answered meanwhile. */
export const unanswered = async (contracts: readonly Contract[], seed: number): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const { id, procedures } of contracts) {
    for (const [name, { output }] of Object.entries(procedures)) {
      if (valueMaker(output).make(deriveSeed(seed, id, name)) === undefined) found.push(`${id}.${name}`);
      await immediate();
    }
  }
  return found;
};
