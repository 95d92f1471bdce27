/** The SSRF corpus: 300 addresses and names that lead inside, in every spelling. None of them gets a connection. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpClient, guardedLookup, type HttpClient, type Resolve } from "./http-client.ts";
import { RequestError } from "./request-error.ts";

let server: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  server = createServer((_, response) => void response.end("inside"));
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

const four = ["10.0.0.1", "100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1", "0.0.0.0"];
const more = ["192.0.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "203.0.113.9"];
const inside = [...four, ...more];

const numberOf = (address: string): number => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const hex = (address: string): string => `0x${numberOf(address).toString(16)}`;
const octal = (address: string): string =>
  address
    .split(".")
    .map((part) => `0${Number(part).toString(8)}`)
    .join(".");
const hexParts = (address: string): string =>
  `0x${address
    .split(".")
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join(".0x")}`;
const short = (address: string): string => {
  const [a, b, c, d] = address.split(".").map(Number);
  return `${a}.${b}.${Number(c) * 256 + Number(d)}`;
};
const wide = (address: string): string =>
  address.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
const groups = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

/** One address in all the ways in which a URL can say it. */
const spellings = (address: string): readonly string[] => [
  address,
  String(numberOf(address)),
  hex(address),
  octal(address),
  hexParts(address),
  short(address),
  wide(address),
  `${address}.`,
  `[::ffff:${address}]`,
  `[::ffff:${groups(address)}]`,
  `[0:0:0:0:0:ffff:${groups(address)}]`,
  `[::${groups(address)}]`,
  `[64:ff9b::${groups(address)}]`,
  `[2002:${groups(address)}::1]`,
];

const literals = [
  ...inside.flatMap(spellings),
  "[::]",
  "[fd00::1]",
  "[fe80::1]",
  "[ff02::1]",
  "[fec0::1]",
  "[2001:db8::1]",
];
/** Loopback under a spelling of its own is the user's machine and allowed; by a name that somebody else owns it is not. */
const names = [
  "metadata.example",
  "rebind.example",
  "127.0.0.1.nip.example",
  "localhost.example",
  "xn--e1afmkfd.example",
];
const lies = [...inside, "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "fd00::1", "fe80::1"];
const odd = [
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/plain,x",
  "ftp://localhost/",
  "gopher://localhost/",
  "http://user@localhost/",
  "https://:secret@example.com/",
  "http://example.com/",
  "http://[::ffff:10.0.0.1]/",
  "http://localhost.example/",
];

interface Attempt {
  readonly url: string;
  /** What the name in it is said to lead to. */
  readonly leads?: readonly string[];
}

const corpus: readonly Attempt[] = [
  ...literals.map((host) => ({ url: `https://${host}/mcp` })),
  ...names.flatMap((name) => lies.map((address) => ({ url: `https://${name}/mcp`, leads: [address] }))),
  // One good address does not make up for a bad one.
  ...lies.map((address) => ({ url: "https://mixed.example/", leads: ["93.184.216.34", address] })),
  ...odd.map((url) => ({ url })),
];

const familyOf = (address: string): number => (address.includes(":") ? 6 : 4);
const leading =
  (addresses: readonly string[]): Resolve =>
  (_, __, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: familyOf(address) })),
    );

const attempt = async (web: HttpClient, url: string): Promise<unknown> => web.fetch(url).then(String, (error) => error);

describe("an address of a caller's", () => {
  it(`never leads inside: ${corpus.length} ways`, async () => {
    expect(corpus.length).toBeGreaterThanOrEqual(300);
    const through: string[] = [];
    for (const { url, leads = ["10.9.8.7"] } of corpus) {
      const web = createHttpClient({ scope: "loopback", connectMs: 60_000, resolve: leading(leads) });
      const outcome = await attempt(web, url.replace("/mcp", `:${port}/mcp`));
      const isRefused = outcome instanceof RequestError && outcome.code === "EADDRESS" && !outcome.sent;
      if (!isRefused && !(outcome instanceof TypeError)) through.push(`${url} ${leads}: ${String(outcome)}`);
      web.close();
    }
    expect(through).toEqual([]);
    expect(connections).toBe(0);
  });

  it("is connected to when it is this machine by its own name", async () => {
    const web = createHttpClient({ scope: "loopback", connectMs: 60_000 });
    const answer = await web.fetch(`http://127.0.0.1:${port}/`);
    expect(await answer.text()).toBe("inside");
    web.close();
  });

  it("gives the socket the addresses that were judged, whatever the name leads to afterwards", () => {
    let asked = 0;
    const flips: Resolve = (_, __, callback) => {
      asked += 1;
      callback(null, [{ address: asked === 1 ? "93.184.216.34" : "127.0.0.1", family: 4 }]);
    };
    const given: unknown[] = [];
    guardedLookup(flips)("flip.example", {}, (error, address) => given.push(error?.code ?? address));
    guardedLookup(flips)("flip.example", { all: true }, (error, address) => given.push(error?.code ?? address));
    expect(given).toEqual(["93.184.216.34", "EADDRESS"]);
    expect(asked).toBe(2);
  });
});

describe("an address of the configuration", () => {
  it("may be any: whoever writes it may also start programs", async () => {
    const web = createHttpClient({ scope: "anywhere", connectMs: 60_000, resolve: leading(["127.0.0.1"]) });
    expect((await web.fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    web.close();
  });
});
