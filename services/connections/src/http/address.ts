/**
 * Which addresses may be connected to when a caller, not the server's own configuration, named them. Pure.
 *
 * Loopback by its own name, or anything public over https. A public name that resolves to this machine, to a private network or to a
 * cloud's metadata service is refused, whatever it is called: the check is on the address that is really connected to.
 */
import { BlockList, isIP, isIPv4 } from "node:net";

/** How far one may go: where the server's own configuration leads, to loopback and the public, or to the public alone. */
export type AddressScope = "anywhere" | "loopback" | "public";

/** Why not, or nothing. */
export type Refusal = string | undefined;

/** One list for each family: a common one would take every IPv4 address for the IPv6 one it can be mapped to. */
const special = { ipv4: new BlockList(), ipv6: new BlockList() };
const subnets: readonly (readonly [string, number, "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.0.2.0", 24, "ipv4"],
  ["192.88.99.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["198.51.100.0", 24, "ipv4"],
  ["203.0.113.0", 24, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 8, "ipv6"],
  ["64:ff9b::", 16, "ipv6"],
  ["100::", 8, "ipv6"],
  ["2001::", 23, "ipv6"],
  ["2001:db8::", 32, "ipv6"],
  ["2002::", 16, "ipv6"],
  ["3fff::", 20, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 9, "ipv6"],
  ["ff00::", 8, "ipv6"],
];
for (const [address, prefix, family] of subnets) special[family].addSubnet(address, prefix, family);

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const family = (address: string): "ipv4" | "ipv6" => (isIPv4(address) ? "ipv4" : "ipv6");

/** The host of a URL as `net` takes it: IPv6 without its brackets. */
export const urlHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

const isLoopbackName = (host: string): boolean =>
  host === "localhost" || (isIP(host) !== 0 && loopback.check(host, family(host)));

export const isLoopback = (url: URL): boolean => isLoopbackName(urlHost(url));

/** The address as it is written: what it may be before anything is looked up. */
export const urlRefusal = (text: string, reach: AddressScope = "loopback"): Refusal => {
  if (reach === "anywhere") return undefined;
  const url = URL.parse(text);
  if (url === null) return `${JSON.stringify(text.slice(0, 100))} is not an address`;
  if (url.protocol !== "http:" && url.protocol !== "https:") return `${url.protocol} addresses are not connected to`;
  if (url.username !== "" || url.password !== "") return "an address must not carry credentials";
  const host = urlHost(url);
  if (isLoopbackName(host))
    return reach === "public" ? `${host} is this machine, and only it may name itself` : undefined;
  if (url.protocol === "http:") return "an address that is not on this machine must be https";
  return isIP(host) === 0 ? undefined : addressRefusal(host, host, reach);
};

/** The address a name has turned out to have. */
export const addressRefusal = (host: string, address: string, reach: AddressScope = "loopback"): Refusal => {
  if (reach === "anywhere") return undefined;
  if (isIP(address) === 0) return `${host} has no usable address`;
  if (reach !== "public" && isLoopbackName(host) && loopback.check(address, family(address))) return undefined;
  return special[family(address)].check(address, family(address))
    ? `${host} leads to ${address}, which is not public`
    : undefined;
};
