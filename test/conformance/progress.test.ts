/** The TypeScript client's progress over HTTP, against a real kernel. */
import { createClient, fetchTransport } from "@fairlead/client";
import { afterAll, beforeAll, expect, test } from "vitest";
// @boundaries-ignore the test looks inside the kernel
import { type Fixture, startFixture } from "../../kernel/src/testing/wire-fixture.ts";

const wire = {
  id: "wire",
  procedures: {
    work: { name: "wire.work", kind: "mutation", path: "/api/wire/work", retry: "unsafe" },
  },
} as const;

interface WireTypes {
  work: { input: { fail: boolean }; output: number; errors: Record<never, never> };
}

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

test.each([false, true])("reports arrive before the answer (fail: %s)", async (fail) => {
  const client = createClient<WireTypes>(wire, fetchTransport({ url: fixture.url }));
  const seen: unknown[] = [];
  const answer = client.work({ fail }, { onProgress: (at) => void seen.push(at) });
  if (fail) await expect(answer).rejects.toMatchObject({ code: "internal", retryable: false });
  else expect(await answer).toBe(42);
  expect(seen).toEqual([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ]);
});
