/** A page on loopback that a browser is sent back to, for logins that happen in a browser. */
import { createServer } from "node:http";
import { CommandError } from "../command/failure.ts";

/** Milliseconds that a person may take. */
const timeoutMs = 10 * 60_000;

interface BrowserPage {
  readonly url: string;
  /** The query that the browser came back with, without the question mark. */
  readonly query: Promise<string>;
  close(): void;
}

export const openBrowserPage = async (signal: AbortSignal): Promise<BrowserPage> => {
  const query = Promise.withResolvers<string>();
  // Whoever never gets as far as to wait for it is not harmed.
  query.promise.catch(() => undefined);
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1");
    const isReturn = request.method === "GET" && pathname === "/callback";
    response.writeHead(isReturn ? 200 : 404, { "content-type": "text/plain", connection: "close" });
    response.end(isReturn ? "You can close this page and go back to the command line." : "not found");
    if (isReturn) query.resolve(search.slice(1));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const late = { message: "the login was not finished within 10 minutes", hint: "run the command again" };
  const timer = setTimeout(
    () => query.reject(new CommandError({ code: "deadline_exceeded", exit: 4 }, late)),
    timeoutMs,
  );
  const abort = (): void => query.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return {
    url: `http://127.0.0.1:${port}/callback`,
    query: query.promise,
    close: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      server.closeAllConnections();
      server.close();
    },
  };
};
