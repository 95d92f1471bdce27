/**
 * Serves a service on stdin and stdout until the client has gone. Call it once.
 *
 * @param service its id
 * @param config the URL of the package's configuration
 */
export declare function serveMcp(service: string, config: URL | string): void;
