/**
 * HTTP, tRPC and MCP as one function from a web `Request` to a `Response`, for runtimes that have a server of their own: Bun, Deno, Node,
 * Next, Lambda, Workers. What a request meets is what it meets at a kernel that listens: the same guard, limits and transports.
 *
 * Not here: WebSockets, the console, tokens in files; what listens (`Kernel.serve`).
 */
import { FairleadError, makeRedactor, secretTexts } from "@fairlead/contracts";
import { type Kernel, openKernel, withEnvironmentToken } from "./boot/kernel.ts";
import { loadOnce } from "./call/load-once.ts";
import { type ConfigInput, configSchema, readConfig } from "./config/config.ts";
import { environmentSecrets } from "./config/environment.ts";
import type { Manifest } from "./host/manifest.ts";
import { findDuplicate } from "./host/registry.ts";
import { type Log, makeLog } from "./observe/log.ts";
import type { AnswerStore } from "./policy/idempotency.ts";
import type { FetchServer } from "./server/fetch/fetch-server.ts";
import type { Service } from "./service/service.ts";
import { memoryState } from "./state/memory-state.ts";

export type { AnswerStore, Claim, KeyUse } from "./policy/idempotency.ts";

/** How a handler is made. */
export interface HandlerOptions {
  /** As in `fairlead.config.ts`: `hosts` and `tokens` above all. With `stateDir`, runs and answers of keyed calls are kept there. */
  readonly config?: ConfigInput;
  /** Variables, for settings and `FAIRLEAD_TOKEN`. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** True where whoever reaches the handler may call everything, as on a developer's own machine. Default: a token is needed. */
  readonly anyone?: boolean;
  /**
   * Where answers of keyed calls are kept, so that a repeat that meets another instance gets the answer of the first; also where there is
   * a `stateDir`, in which runs and events stay. Default: in `stateDir`; without one in the memory of this instance, which no other one knows.
   */
  readonly answers?: AnswerStore;
  /** The caller's address, which some limits count by. `rest` is what the runtime hands over beside the request. */
  readonly address?: (request: Request, ...rest: readonly unknown[]) => string | undefined;
  /** Default: lines on stderr. */
  readonly log?: Log;
}

/** Answers requests. What a runtime hands over beside them is not used, but for `address`. */
export interface Handler {
  (request: Request, ...rest: readonly unknown[]): Promise<Response>;
  /** Ends the streams, lets running calls finish for a while, stops the services. A later request is refused. */
  close(): Promise<void>;
}

/**
 * The services behind one function. `manifest` is what `fairlead gen` wrote of their contracts. The services start with the first
 * request: some runtimes allow no work before it.
 *
 * @throws {FairleadError} where the configuration is wrong, or lets anybody in who was not meant, or a service is given twice
 */
export const handler = (manifest: Manifest, services: readonly Service[], options: HandlerOptions = {}): Handler => {
  const env = options.env ?? process.env;
  const config = withEnvironmentToken(readConfig({ file: options.config, env, flags: {} }), env);
  const { tokens, identity, stateDir } = config;
  if (tokens.length === 0 && identity === undefined && options.anyone !== true) throw openToAll();
  if (identity !== undefined && identity.resource === undefined) throw noResource();
  const twice = findDuplicate(services.map(({ contract }) => contract));
  if (twice !== undefined) throw duplicateService(twice);
  const redactor = makeRedactor([...environmentSecrets(env), ...secretTexts(configSchema, config)]);
  const log = options.log ?? makeLog({ level: config.log.level, redactor });

  let kernel: Promise<Kernel> | undefined;
  let isClosed = false;
  const open = loadOnce(async (): Promise<FetchServer> => {
    kernel = openKernel({
      config: options.config,
      env,
      manifest,
      services,
      ...(options.log !== undefined && { log: options.log }),
      ...(stateDir === undefined && { state: memoryState() }),
      ...(options.answers !== undefined && { answers: options.answers }),
    });
    const { surroundings, answer, close } = await kernel;
    if (stateDir === undefined && options.answers === undefined && services.some(hasKeyed))
      surroundings.log("warn", "answers of keyed calls are kept by this instance alone", {
        fix: "give the handler `answers`, or `stateDir`, where a repeat may reach another instance",
      });
    return answer().catch(async (cause: unknown) => {
      // The next request opens another one.
      await close();
      throw cause;
    });
  });
  const fetchOrFail = async (): Promise<FetchServer["fetch"] | undefined> => {
    try {
      return (await open()).fetch;
    } catch (cause) {
      log("error", "the services of a handler cannot be opened: its requests are answered with 503", { cause });
      return undefined;
    }
  };
  const answer = async (request: Request, ...rest: readonly unknown[]): Promise<Response> => {
    const fetch = isClosed ? undefined : await fetchOrFail();
    if (fetch === undefined) return new Response(null, { status: 503, headers: { "retry-after": "1" } });
    return fetch(request, { address: options.address?.(request, ...rest) });
  };
  return Object.assign(answer, {
    close: async () => {
      isClosed = true;
      // One that could not be opened has been reported, and there is nothing to end.
      const opened = await kernel?.catch(() => undefined);
      await opened?.close();
    },
  });
};

const hasKeyed = ({ contract }: Service): boolean =>
  Object.values(contract.procedures).some((procedure) => procedure.kind === "mutation" && procedure.retry === "keyed");

const duplicateService = (id: string): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: `the service ${id} is given twice`,
    hint: "give each service once; `kernel` is the kernel's own",
  });

const openToAll = (): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: "without a token this handler would let anybody call everything",
    hint: "give tokens in `config.tokens`, `FAIRLEAD_TOKEN` in `env`, an identity provider in `config.identity`, or `anyone: true`",
  });

const noResource = (): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message:
      "an identity provider needs `identity.resource` in a handler, which does not know by which address it is reached",
    hint: "set `identity.resource` to the address by which clients call it, like https://tools.example.com",
  });
