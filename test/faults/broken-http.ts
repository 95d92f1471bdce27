/**
 * Bytes that are hardly HTTP, for bare sockets: requests with something cut out, put in or turned round, and the known tricks with
 * lengths, chunks, headers and targets. And how to send them: the connection's sending half is closed at the end, so that every
 * answer has an end, too.
 */
import { connect } from "node:net";
import fc from "fast-check";

/** Stands for the server's own host and port. */
const host = "HOST";
const body = '{"value":5}';

const good = [
  `POST /api/target/set HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  `GET /api/target/sum?a=1&b=2 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `POST /trpc/target.set HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n${body}\r\n0\r\n\r\n`,
  `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: 2\r\n\r\n{}`,
];

const post = (headers: string, rest: string): string =>
  `POST /api/target/set HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${rest}`;
const get = (target: string, headers = ""): string => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;

const tricks = [
  post("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n"),
  post("Content-Length: 2\r\nContent-Length: 11", body),
  post("Content-Length: -1", body),
  post("Content-Length: +11", body),
  post("Content-Length: 99999999999999999999", body),
  post("Content-Length: 1048577", body),
  post("Content-Length: 500", body),
  post("Transfer-Encoding: xchunked", body),
  post("Transfer-Encoding: chunked, identity", `b\r\n${body}\r\n0\r\n\r\n`),
  post("Transfer-Encoding: chunked", `zz\r\n${body}`),
  post("Transfer-Encoding: chunked", `FFFFFFFFFFFFFFFFF\r\n${body}`),
  post("Transfer-Encoding: chunked", `b;${"x".repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`),
  post("Transfer-Encoding: chunked", `b\r\n${body}\r\n0\r\nTrailer: ${"x".repeat(20_000)}\r\n\r\n`),
  post("Expect: 100-continue\r\nContent-Length: 11", body),
  post("Expect: miracles\r\nContent-Length: 11", body),
  post(Array.from({ length: 200 }, (_, at) => `X-${at}: ${at}`).join("\r\n"), ""),
  post(`X: ${"y".repeat(20_000)}`, ""),
  post("X : y", ""),
  post(" X: y", ""),
  post("X: a\r\n b", ""),
  post("X: \u0000", ""),
  post("\u0001: y", ""),
  get("*"),
  get("http://elsewhere.example/livez"),
  get("//livez"),
  get(`/${"x".repeat(9_000)}`),
  get(`/api/target/sum?${"a=1&".repeat(1_500)}`),
  get("/livez", "Host: other\r\n"),
  get("/livez", "Connection: upgrade\r\nUpgrade: websocket\r\n"),
  get("/api/kernel/events", "Accept: text/event-stream\r\nLast-Event-Id: x\r\n"),
  "GET /livez HTTP/1.1\r\n\r\n",
  "GET /livez HTTP/0.9\r\n\r\n",
  "GET /livez\r\n\r\n",
  "GET  /livez  HTTP/1.1\r\nHost: x\r\n\r\n",
  "CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
  "\r\n\r\n\r\n\r\n",
  "\u0000".repeat(5_000),
  `${good[1]}${good[0]}garbage`,
  Array.from({ length: 50 }, () => good[1]).join(""),
];

const changed = (text: string): fc.Arbitrary<string> =>
  fc
    .record({ at: fc.nat(text.length - 1), length: fc.nat(4), put: fc.oneof(fc.string(), fc.constantFrom(...odd)) })
    .map(({ at, length, put }) => text.slice(0, at) + put + text.slice(at + length));

const odd = ["\r\n", "\n", "\r", "\u0000", "\t", " ", ":", "\u00ff", "\r\n\r\n", "0\r\n\r\n", "x".repeat(300)];

/** One connection's worth of bytes, a character a byte. */
export const brokenHttp: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...good).chain(changed) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...good)
      .chain(changed)
      .chain(changed),
  },
  { weight: 2, arbitrary: fc.constantFrom(...tricks) },
  { weight: 1, arbitrary: fc.constantFrom(...tricks).chain(changed) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 200 }) },
);

/** Milliseconds until a connection counts as left hanging. */
const patience = 120_000;

/** Everything that came back until the server closed; rejects when it never does. */
export const sendBytes = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.setEncoding("latin1").setTimeout(patience, () => {
      reject(new Error(`left hanging: ${JSON.stringify(text.slice(0, 300))}`));
      socket.destroy();
    });
    socket.on("data", (data) => {
      answer += data;
      // A stream of events has no end of its own.
      if (/\ncontent-type: text\/event-stream/i.test(answer)) socket.destroy();
    });
    socket.on("end", () => socket.end());
    // What is refused before it was read is answered with a reset as well.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
    socket.end(text.replace(host, `127.0.0.1:${port}`), "latin1");
  });
