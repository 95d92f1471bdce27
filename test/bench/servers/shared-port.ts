/** Raw HTTP servers in several processes behind one port: each listens with `reusePort`, or the first one accepts and hands sockets over. */
import { type ChildProcess, fork } from "node:child_process";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Socket } from "node:net";

const [how, role = "first", port = "0"] = process.argv.slice(2);
const processes = 4;

const http = () =>
  createServer((incoming, response) => {
    incoming.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 2 }).end("{}");
    });
  });

const start = (at: number): Promise<ChildProcess> => {
  const child = fork(process.argv[1] ?? "", [String(how), "worker", String(at)]);
  return new Promise((resolve) => child.once("message", () => resolve(child)));
};

if (role === "worker") {
  const server = http();
  process.on("message", (_, socket) => {
    if (socket === undefined) return;
    server.emit("connection", socket);
    (socket as Socket).resume();
  });
  process.on("disconnect", () => process.exit());
  if (how === "reusePort")
    server.listen({ port: Number(port), host: "127.0.0.1", reusePort: true }, () => process.send?.("up"));
  else process.send?.("up");
} else {
  const front = createNetServer({ pauseOnConnect: true });
  const found = await new Promise<number>((resolve) =>
    front.listen({ port: 0, host: "127.0.0.1", reusePort: how === "reusePort" }, () =>
      resolve((front.address() as AddressInfo).port),
    ),
  );
  const workers = await Promise.all(Array.from({ length: processes }, () => start(found)));
  if (how === "reusePort") front.close();
  let turn = 0;
  front.on("connection", (socket) => {
    turn = (turn + 1) % workers.length;
    workers[turn]?.send("socket", socket);
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ port: found, pids: [process.pid, ...workers.flatMap(({ pid }) => pid ?? [])] });
}
