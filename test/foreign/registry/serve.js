/**
 * A registry on a free port of loopback: `node serve.js <folder> <registry>` prints its address. It keeps in the folder what is published to it, and leads to another registry
 * for all that is not Fairlead's.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { runServer } from "verdaccio";

const [folder = "", others = ""] = process.argv.slice(2);
const registry = await runServer({
  configPath: join(folder, "config.yaml"),
  storage: join(folder, "storage"),
  auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: -1 } },
  packages: { "**": { access: "$all", publish: "$all" } },
  web: { enable: false },
  max_body_size: "50mb",
  log: { type: "stdout", format: "pretty", level: "error" },
});
const own = /^\/(?:@fairlead(?:\/|%2f)|fairlead\b|create-fairlead\b|-\/)/i;
const server = createServer((request, response) => {
  const { url = "" } = request;
  if (own.test(url)) registry.emit("request", request, response);
  else response.writeHead(307, { location: new URL(url.slice(1), others).href }).end();
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`));
