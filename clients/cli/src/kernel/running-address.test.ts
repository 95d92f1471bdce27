/** Where a command looks for the kernel of its project. */
import { expect, it } from "vitest";
import type { Context } from "../command/context.ts";
import { usualAddress } from "./running-address.ts";

interface Given {
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly value?: Readonly<Record<string, unknown>>;
}

/** A context as far as an address depends on it. */
const context = ({ url, env = {}, value = {} }: Given): Context =>
  ({ url, io: { env }, configFile: async () => ({ path: undefined, root: "/", value }) }) as unknown as Context;

it.each<[string, Given, string]>([
  ["nothing is said", {}, "http://127.0.0.1:5099"],
  ["the configuration says the port", { value: { port: 8_080 } }, "http://127.0.0.1:8080"],
  ["the environment does", { value: { port: 8_080 }, env: { FAIRLEAD_PORT: "8081" } }, "http://127.0.0.1:8081"],
  ["the system chooses the port", { value: { port: 0 } }, "http://127.0.0.1:5099"],
  ["it listens everywhere", { value: { host: "0.0.0.0" } }, "http://127.0.0.1:5099"],
  ["it listens on IPv6", { value: { host: "::1" } }, "http://[::1]:5099"],
])("where %s", async (_, given, address) => expect(await usualAddress(context(given))).toBe(address));
