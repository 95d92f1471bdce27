import { expect, test } from "vitest";
import { loadSdk } from "./model.ts";

test("without the SDK the error says what to install", async () => {
  const absent: string = "no-such-package";
  await expect(loadSdk(() => import(absent))).rejects.toMatchObject({
    code: "failed_precondition",
    hint: expect.stringContaining("npm install @anthropic-ai/sdk"),
  });
  await expect(loadSdk(() => Promise.reject(new Error("another")))).rejects.toThrow("another");
});
