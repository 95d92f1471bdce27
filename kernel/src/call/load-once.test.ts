import { expect, it, vi } from "vitest";
import { loadOnce } from "./load-once.ts";

it("loads once for all who wait, and again after a failure", async () => {
  const load = vi.fn(() => Promise.resolve("loaded"));
  load.mockRejectedValueOnce(new Error("no file")).mockImplementationOnce(() => {
    throw new Error("no memory");
  });
  const get = loadOnce(load);
  const results = await Promise.allSettled([get(), get()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(get()).rejects.toThrow("no memory");
  expect(await Promise.all([get(), get()])).toEqual(["loaded", "loaded"]);
  await get();
  expect(load).toHaveBeenCalledTimes(3);
});
