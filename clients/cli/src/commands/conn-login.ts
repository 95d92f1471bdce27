/**
 * `fairlead conn login`: logs in to an upstream by OAuth. Shows the page to open, and waits on this machine's loopback for the browser
 * to come back; the kernel takes the code and keeps the tokens.
 */
import { createServer } from "node:http";
import { isReason } from "@fairlead/client";
import type { CommandModule } from "../command/command.ts";
import { CommandError } from "../command/failure.ts";
import { askConnections, noConnection } from "../kernel/connections-client.ts";

/** Milliseconds that a person may take. */
const patienceMs = 10 * 60_000;

const connLogin: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "Name of the connection")
      .addHelpText("after", "\nExamples:\n  fairlead conn login tracker\n");
  },

  run: (context, { args: [name = ""] }) =>
    askConnections(context, async (client) => {
      const browser = await awaitBrowser(context.io.signal);
      try {
        const { authorizationUrl } = await client.beginLogin({ name, redirectUrl: browser.url });
        context.say(`open this page to log in:\n${authorizationUrl}`);
        const connection = await client.finishLogin({ name, query: await browser.query });
        context.print({ connection }, () => `logged in; ${name} is ${connection.state}`);
      } catch (error) {
        if (isReason(error, client.beginLogin, "unknown_connection")) throw noConnection(name, error.data.known);
        throw error;
      } finally {
        browser.close();
      }
      return 0;
    }),
};

/** A page on loopback that a browser is sent back to. */
const awaitBrowser = async (signal: AbortSignal) => {
  const came = Promise.withResolvers<string>();
  came.promise.catch(() => undefined);
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1");
    const isAnswer = request.method === "GET" && pathname === "/callback";
    response.writeHead(isAnswer ? 200 : 404, { "content-type": "text/plain", connection: "close" });
    response.end(isAnswer ? "You can close this page and go back to the command line." : "nothing here");
    if (isAnswer) came.resolve(search.slice(1));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const late = { message: "nobody has logged in", hint: "run the command again" };
  const timer = setTimeout(
    () => came.reject(new CommandError({ code: "deadline_exceeded", exit: 4 }, late)),
    patienceMs,
  );
  const abort = (): void => came.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return {
    url: `http://127.0.0.1:${port}/callback`,
    query: came.promise,
    close: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      server.closeAllConnections();
      server.close();
    },
  };
};

export default connLogin;
