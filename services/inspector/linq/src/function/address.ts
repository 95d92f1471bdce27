/** Members of GUIDs and addresses. */
import { boolean, int32, listType, scalar, string } from "../type/type.ts";
import type { Guid } from "../value/guid.ts";
import { Sequence } from "../value/sequence.ts";
import type { Uri } from "../value/uri.ts";
import { type MethodTable, methodTable } from "./method.ts";
import { type PropertyTable, propertyTable } from "./property.ts";

const uri = scalar("Uri");

const standardPorts: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "ftp:": 21,
  "ws:": 80,
  "wss:": 443,
};

const uriPort = ({ url }: Uri): number => (url.port === "" ? (standardPorts[url.protocol] ?? -1) : Number(url.port));

export const uriProperties: PropertyTable = propertyTable([
  ["AbsoluteUri", string, ({ url }: Uri) => url.href],
  ["OriginalString", string, ({ url }: Uri) => url.href],
  ["Scheme", string, ({ url }: Uri) => url.protocol.slice(0, -1)],
  ["Authority", string, ({ url }: Uri) => url.host],
  ["Host", string, ({ url }: Uri) => url.hostname],
  ["Port", int32, uriPort],
  ["IsDefaultPort", boolean, ({ url }: Uri) => url.port === ""],
  ["AbsolutePath", string, ({ url }: Uri) => url.pathname],
  ["LocalPath", string, ({ url }: Uri) => url.pathname],
  ["Query", string, ({ url }: Uri) => url.search],
  ["PathAndQuery", string, ({ url }: Uri) => url.pathname + url.search],
  ["Fragment", string, ({ url }: Uri) => url.hash],
  ["UserInfo", string, ({ url }: Uri) => [url.username, url.password].filter((part) => part !== "").join(":")],
  ["Segments", listType(string), ({ url }: Uri) => new Sequence(url.pathname.split(/(?<=\/)/))],
  ["IsFile", boolean, ({ url }: Uri) => url.protocol === "file:"],
  ["IsAbsoluteUri", boolean, () => true],
  ["DnsSafeHost", string, ({ url }: Uri) => url.hostname.replace(/^\[|\]$/g, "")],
  ["IdnHost", string, ({ url }: Uri) => url.hostname.replace(/^\[|\]$/g, "")],
  ["IsLoopback", boolean, ({ url }: Uri) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)],
  ["IsUnc", boolean, () => false],
]);

export const uriMethods: MethodTable = methodTable([
  ["Equals", [uri], boolean, (a: Uri, b: Uri | null) => a.order === b?.order],
  [
    "IsBaseOf",
    [uri],
    boolean,
    ({ url }: Uri, other: Uri | null) =>
      other !== null &&
      url.origin === other.url.origin &&
      other.url.pathname.startsWith(url.pathname.slice(0, url.pathname.lastIndexOf("/") + 1)),
  ],
  ["ToString", [], string, (address: Uri) => address.text()],
]);

export const guidMethods: MethodTable = methodTable([
  ["Equals", [scalar("Guid")], boolean, (a: Guid, b: Guid) => a.value === b.value],
  ["ToString", [], string, (guid: Guid) => guid.value],
]);
