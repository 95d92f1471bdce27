/** How often a call may be tried comes in by every transport, and says what is made for it may be tried no more often. */
import { defineContract, query } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { defineService } from "../service/service.ts";
import { post } from "../testing/wire-fixture.ts";
import { fixturePerTest } from "../testing/wire-test.ts";

const start = fixturePerTest();

const asked = query({ summary: "Says how often.", input: z.object({}), output: z.int().nullable() });
const contract = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Says what it inherits.",
  procedures: { plain: asked, repeated: { ...asked, policy: { retry: { attempts: 3 } } } },
});
const say = (_: object, { innerAttempts }: { readonly innerAttempts: number }) =>
  Number.isFinite(innerAttempts) ? innerAttempts : null;
const service = defineService(contract, () => ({ handlers: { plain: say, repeated: say } }));

test.each([
  ["plain", undefined, null],
  ["plain", "2", 2],
  ["repeated", undefined, 1],
  ["repeated", "2", 1],
  ["repeated", "1", 1],
] as const)("%s with %s: what it calls may be tried %s times", async (name, attempts, inner) => {
  const { port } = await start({ services: [service] });
  const headers: Record<string, string> = attempts === undefined ? {} : { "fairlead-attempts": attempts };
  expect((await post(port, `/api/probe/${name}`, "{}", headers)).json).toBe(inner);
});
