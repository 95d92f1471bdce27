/**
 * Clients that send headers a byte at a time and come back whenever they are thrown out: a process of its own, so that it does not slow
 * down the probes of the test. `node slow-clients.ts <port> <count>`; says `ready` once all have connected, and prints how many connections
 * it has made when its input ends.
 */
import { connect } from "node:net";

const [, , port = "0", count = "1"] = process.argv;
const dripEveryMs = 1_000;
const returnAfterMs = 5_000;
let made = 0;
let ready = 0;

const open = (isFirst: boolean): void => {
  const socket = connect(Number(port), "127.0.0.1");
  made += 1;
  socket.on("connect", () => {
    socket.write("GET /livez HTTP/1.1\r\nx-slow: ");
    if (!isFirst) return;
    ready += 1;
    if (ready === Number(count)) process.stdout.write("ready\n");
  });
  const drip = setInterval(() => socket.write("a"), dripEveryMs);
  socket.on("error", () => undefined);
  socket.on("close", () => {
    clearInterval(drip);
    setTimeout(() => open(false), Math.random() * returnAfterMs);
  });
};

// A few at a time: all at once would only be refused by the system's own queue.
let left = Number(count);
const begin = setInterval(() => {
  for (let at = 0; at < 50 && left > 0; at += 1, left -= 1) open(true);
  if (left === 0) clearInterval(begin);
}, 10);
process.stdin.on("end", () => process.stdout.write(`${made}\n`, () => process.exit())).resume();
