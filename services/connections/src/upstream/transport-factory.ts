/**
 * The way to an upstream: its address or command with the variables filled in, and what carries messages there. Over HTTP the first
 * socket is open before anything else is made. Not here: what is said (`upstream.ts`).
 */

import type { Scope } from "effect/Scope";
import { SecretError, type Secrets } from "../config/secrets.ts";
import { maskVariables, resolveVariables } from "../config/variables.ts";
import { headerRefusal } from "../http/headers.ts";
import { closeHttpClients, createHttpClients, type HttpClients } from "../http/http-clients.ts";
import { formatEndpoint, type HttpTarget, type Target } from "../machine/target.ts";
import type { Credentials } from "../oauth/credentials.ts";
import { tokenProvider } from "../oauth/login.ts";
import { HttpTransport } from "./http-transport.ts";
import { OpenFailure } from "./observation.ts";
import { SseTransport } from "./sse-transport.ts";
import { type StdioOptions, StdioTransport } from "./stdio-transport.ts";

interface TransportOptions {
  /** What variables stand for. */
  readonly secrets: Secrets;
  /** Variables set for every program, in addition to its target's. */
  readonly childVariables: Readonly<Record<string, string>>;
  /** Folders of the kernel's owner, which no sandbox shows. */
  readonly ownersFolders: () => readonly string[];
  /** Owns what it starts. */
  readonly scope: Scope;
  /** Milliseconds for a socket. */
  readonly connectMs: number;
  /** The program runs; or has spoken MCP for the first time. */
  readonly onProgramStep: StdioOptions["onStep"];
  /** Where its tokens are, when they are had by OAuth. */
  readonly credentials: Credentials | undefined;
}

export class TransportFactory {
  readonly #target: Target;
  readonly #options: TransportOptions;
  #webs: HttpClients | undefined;
  #older: (() => SseTransport) | undefined;
  #isClosed = false;

  constructor(target: Target, options: TransportOptions) {
    this.#target = target;
    this.#options = options;
  }

  /**
   * Once. Rejects with an `OpenFailure` or a `RequestError` where there is no way.
   * @param opening true for as long as the upstream is not open
   */
  async open(opening: () => boolean): Promise<HttpTransport | StdioTransport> {
    const target = this.#target;
    if (target.awaitsApproval) throw new OpenFailure({ what: "unapproved", endpoint: formatEndpoint(target) });
    await this.#readSecrets(target);
    if (target.transport === "http") return this.#toAddress(target, opening);
    const { command, cwd } = this.#resolved("", { command: target.command, cwd: target.cwd });
    const args = Object.values(this.#resolved("args.", Object.fromEntries(target.args.entries())));
    const env = { ...this.#resolved("env.", target.env), ...this.#options.childVariables };
    const shown = maskVariables(target, this.#options.secrets.known);
    const { scope, onProgramStep: onStep, ownersFolders } = this.#options;
    return new StdioTransport({ ...target, command, cwd, args }, { env, shown, scope, onStep, ownersFolders });
  }

  /** The transport of 2024-11-05 to the same address; nothing for a program. */
  openOlder(): SseTransport | undefined {
    return this.#isClosed ? undefined : this.#older?.();
  }

  /** Drops the sockets, those being opened included. */
  close(): void {
    this.#isClosed = true;
    if (this.#webs !== undefined) closeHttpClients(this.#webs);
  }

  async #readSecrets(target: Target): Promise<void> {
    try {
      await this.#options.secrets.read(target);
    } catch (cause) {
      if (!(cause instanceof SecretError)) throw cause;
      throw new OpenFailure({ what: "secret", name: cause.secret, why: cause.message });
    }
  }

  async #toAddress(target: HttpTarget, opening: () => boolean): Promise<HttpTransport> {
    const headers = this.#resolved("headers.", target.headers);
    const refused = headerRefusal(headers, target.trusted);
    if (refused !== undefined) throw new OpenFailure({ what: "header", ...refused });
    const { url } = this.#resolved("", { url: target.url });
    const address = URL.parse(url);
    if (address === null) throw new OpenFailure({ what: "address", message: "the address is none" });
    const { credentials, connectMs } = this.#options;
    const webs = createHttpClients(address, { trusted: target.trusted, connectMs });
    this.#webs = webs;
    await webs.own.connect(address);
    if (this.#isClosed) throw new OpenFailure({ what: "closed" });
    const authProvider = credentials === undefined ? {} : { authProvider: tokenProvider(credentials) };
    const options = { headers, webs, opening, ...authProvider };
    this.#older = () => new SseTransport(address, options);
    return new HttpTransport(address, options);
  }

  /** @param place path of the texts in the configuration */
  #resolved<K extends string>(place: string, texts: Readonly<Record<K, string>>): Readonly<Record<K, string>> {
    const resolved = resolveVariables(texts, this.#options.secrets.known);
    if (resolved.ok) return resolved.values;
    throw new OpenFailure({ what: "variable", name: resolved.missing, at: `${place}${resolved.at}` });
  }
}
