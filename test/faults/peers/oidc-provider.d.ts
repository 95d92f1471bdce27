/** The part of `oidc-provider` that its tests use: the package ships no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface InteractionDetails {
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, string>>;
    readonly session?: { readonly accountId: string };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (
      owner: object,
    ) => { addResourceScope(resource: string, scope: string): void; save(): Promise<string> };
    on(event: "server_error", listener: (context: unknown, error: Error) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
