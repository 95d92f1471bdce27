/**
 * Runs before each test file: what a kernel in the test's process writes to its standard error becomes output of the test, which
 * vitest keeps and shows only when the test fails.
 */
process.stderr.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
  console.error((typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()).replace(/\n$/, ""));
  const done = rest.at(-1);
  if (typeof done === "function") done();
  return true;
};
