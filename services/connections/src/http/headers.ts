/**
 * Which headers may be sent along with every request to an upstream. Pure.
 *
 * Those that say where a message ends are HTTP's own: one from outside could put a second message behind the first. Those that say whose
 * a message is are not a caller's to choose.
 */

const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** As HTTP takes it: Latin-1 without control characters. */
const value = /^[\t\x20-\x7E\x80-\xFF]*$/;

const framing = [
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
const own = new Set([...framing, "accept", "content-type", "last-event-id"]);
const addressing = /^(?:host|mcp-.*|proxy-.*)$/;

interface HeaderRefusal {
  readonly name: string;
  readonly why: string;
}

/** The first of the headers that cannot be sent, or nothing. `trusted`: they are from the server's own configuration. */
export const headerRefusal = (
  headers: Readonly<Record<string, string>>,
  trusted: boolean,
): HeaderRefusal | undefined => {
  for (const [header, text] of Object.entries(headers)) {
    const plain = header.toLowerCase();
    if (!name.test(header)) return { name: header, why: "its name is not valid in HTTP" };
    if (own.has(plain)) return { name: header, why: "HTTP and MCP set it themselves" };
    if (!trusted && addressing.test(plain)) return { name: header, why: "it says whose the request is" };
    if (!value.test(text.trim())) return { name: header, why: "its value holds characters that HTTP does not take" };
  }
  return undefined;
};
