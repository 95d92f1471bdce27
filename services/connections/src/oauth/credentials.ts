/**
 * What OAuth has given us for one connection: the client we are registered as, and tokens, each tied to the issuer they are from. One
 * JSON file a connection, readable by its owner alone, replaced whole.
 *
 * Implements the SDK's provider; the flow itself is the SDK's. Not here: who logs in, and how (`login.ts`).
 */
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  computeScopeUnion,
  type OAuthClientInformationContext,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { resolveVariables } from "../config/variables.ts";
import type { OAuthClient } from "../machine/target.ts";

interface StoredCredentials {
  /** Address of the upstream, as it is written. What is kept for another address is not used. */
  readonly url: string;
  readonly redirectUrl?: string;
  readonly clients: Readonly<Record<string, StoredOAuthClientInformation>>;
  readonly tokens?: StoredOAuthTokens;
  /** Scope of the tokens, or the scope that was requested with them. */
  readonly scope?: string;
}

interface CredentialsOptions {
  /** Of the service; a folder of its own is made in it. */
  readonly folder: string;
  readonly name: string;
  readonly url: string;
  readonly client: OAuthClient;
  /** Has the variables that the client's secret may hold. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const noIssuer = "";

export class Credentials implements OAuthClientProvider {
  readonly #file: string;
  readonly #url: string;
  readonly #client: OAuthClient;
  readonly #env: CredentialsOptions["env"];
  #stored: StoredCredentials;
  #verifier = "";
  #state = "";
  #discovery: OAuthDiscoveryState | undefined;
  #page: URL | undefined;
  /** Scope that the finished login had requested. */
  #requestedScope: string | undefined;
  /** What the upstream has said it wants, when it last refused us. */
  challenge: { readonly resourceMetadataUrl?: URL; readonly scope?: string } = {};

  constructor({ folder, name, url, client, env }: CredentialsOptions) {
    const own = join(folder, "oauth");
    mkdirSync(own, { recursive: true, mode: 0o700 });
    const plain = createHash("sha256").update(name).digest("hex").slice(0, 16);
    this.#file = join(own, `${plain}.json`);
    this.#url = url;
    this.#client = client;
    this.#env = env;
    this.#stored = this.#read();
  }

  /** Of the upstream, with its variables filled in. Throws when one of them is not set. */
  get address(): string {
    return this.#fillIn(this.#url);
  }

  /** Loopback address that a login came with. */
  set redirect(url: string) {
    const clients = this.#stored.redirectUrl === url ? this.#stored.clients : {};
    this.#stored = { ...this.#stored, redirectUrl: url, clients };
  }

  get redirectUrl(): string | undefined {
    return this.#stored.redirectUrl;
  }

  get clientMetadata() {
    return {
      client_name: "Fairlead",
      redirect_uris: this.#stored.redirectUrl === undefined ? [] : [this.#stored.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native" as const,
    };
  }

  get clientMetadataUrl(): string {
    return this.#client.metadataUrl ?? "";
  }

  /** The scope granted or requested before, and the scope that the upstream has required. */
  get requestedScope(): string | undefined {
    return computeScopeUnion(this.#stored.scope, this.challenge.scope);
  }

  state(): string {
    this.#state = randomBytes(16).toString("base64url");
    return this.#state;
  }

  /** True once for the state that the last login was begun with. */
  takesState(state: string | null): boolean {
    const fits = this.#state !== "" && state === this.#state;
    this.#state = "";
    if (fits) this.#requestedScope = this.#page?.searchParams.get("scope") ?? undefined;
    return fits;
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    return this.#configured(context) ?? this.#stored.clients[context?.issuer ?? noIssuer];
  }

  /** What is configured is not kept: it may hold a secret. */
  saveClientInformation(client: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    if (this.#configured(context) !== undefined) return;
    this.#save({ ...this.#stored, clients: { ...this.#stored.clients, [context?.issuer ?? noIssuer]: client } });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#stored.tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    const scope = tokens.scope ?? this.#requestedScope ?? this.#stored.scope;
    this.#save({ ...this.#stored, tokens, ...(scope !== undefined && { scope }) });
  }

  redirectToAuthorization(url: URL): void {
    this.#page = url;
  }

  /** Where the user is to be sent, once the SDK has found out. */
  get page(): URL | undefined {
    return this.#page;
  }

  /** What was found out for an earlier login does not count. Its tokens do, until there are others. */
  forget(): void {
    this.invalidateCredentials("discovery");
    this.#page = undefined;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    const { tokens: _, ...withoutTokens } = this.#stored;
    if (scope === "all") this.#save({ ...withoutTokens, clients: {} });
    if (scope === "client") this.#save({ ...this.#stored, clients: {} });
    if (scope === "tokens") this.#save(withoutTokens);
    if (scope === "all" || scope === "verifier") this.#verifier = "";
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
  }

  /** The client of the configuration, for the one authorization server that knows it. */
  #configured(context: OAuthClientInformationContext | undefined): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret, issuer } = this.#client;
    if (clientId === undefined || context === undefined || !isSameIssuer(context.issuer, issuer)) return undefined;
    const known = { client_id: clientId, issuer: context.issuer };
    if (clientSecret === undefined) return known;
    return { ...known, client_secret: this.#fillIn(clientSecret) };
  }

  #fillIn(text: string): string {
    const resolved = resolveVariables({ text }, this.#env);
    if (!resolved.ok) throw new Error(`the environment variable ${resolved.missing} is not set`);
    return resolved.values.text;
  }

  #read(): StoredCredentials {
    const empty: StoredCredentials = { url: this.#url, clients: {} };
    try {
      const kept: unknown = JSON.parse(readFileSync(this.#file, "utf8"));
      return isStoredCredentials(kept) && kept.url === this.#url ? kept : empty;
    } catch {
      return empty;
    }
  }

  #save(kept: StoredCredentials): void {
    this.#stored = kept;
    const next = `${this.#file}.next`;
    writeFileSync(next, JSON.stringify(kept), { mode: 0o600 });
    chmodSync(next, 0o600);
    renameSync(next, this.#file);
  }
}

/** Issuers are the same when their texts are, but for a slash at the end. */
const isSameIssuer = (one: string, other: string | undefined): boolean =>
  one.replace(/\/$/, "") === other?.replace(/\/$/, "");

const isStoredCredentials = (value: unknown): value is StoredCredentials =>
  typeof value === "object" &&
  value !== null &&
  "url" in value &&
  "clients" in value &&
  typeof value.clients === "object";
