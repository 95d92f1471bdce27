/** `up` refuses an address before it loads services exactly where the server would: both ask `bindingRefusal`. */
import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import { readConfig } from "../config/config.ts";
import { checkAddress } from "./address-check.ts";

const check = (settings: object, tokens = 0) =>
  Effect.runPromise(
    Effect.flip(checkAddress(readConfig({ flags: { host: "0.0.0.0", port: 0, ...settings } }), tokens)),
  );
const provider = { issuer: "https://login.example.com", scopes: {} };

it("takes any address with an identity provider whose tokens are for a named one", async () => {
  const config = readConfig({
    flags: { host: "0.0.0.0", port: 0, identity: { ...provider, resource: "https://tools.example.com" } },
  });
  await Effect.runPromise(checkAddress(config, 0));
});

it("names what is missing", async () => {
  expect(await check({})).toMatchObject({ issues: [{ path: "host" }] });
  expect(await check({ identity: provider }, 1)).toMatchObject({ issues: [{ path: "identity.resource" }] });
});
