/** The codecs of Temporal, in a process that has it and in one that has not: a runtime may be either. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const run = (flags: readonly string[], script: string): unknown => {
  const prelude = `import { codecs, decoder, encoder } from "${join(import.meta.dirname, "index.ts")}";`;
  const options = [
    "--conditions=@fairlead/source",
    "--input-type=module",
    "-e",
    `${prelude} console.log(JSON.stringify(${script}))`,
  ];
  return JSON.parse(execFileSync(process.execPath, [...flags, ...options], { encoding: "utf8" }));
};

const withTemporal = (script: string): unknown => run(["--harmony-temporal"], script);

const thereAndBack = (codec: string, text: string): string =>
  `(() => { const codec = codecs.${codec}(); const { value } = decoder(codec)("${text}"); return [value.constructor.name, encoder(codec)(value).value]; })()`;

test.each([
  ["instant", "Instant", "2026-01-31T12:00:00.123456789+02:00", "2026-01-31T10:00:00.123456789Z"],
  ["plainDate", "PlainDate", "2026-02-28", "2026-02-28"],
  ["duration", "Duration", "P1DT90M", "P1DT90M"],
])("%s takes text to a Temporal.%s and back", (codec, name, text, wire) => {
  expect(withTemporal(thereAndBack(codec, text))).toEqual([name, wire]);
});

test.each([
  ["instant", "2026-01-31T12:00:00.1234567890Z"],
  ["duration", `P${"9".repeat(400)}D`],
])("what Temporal refuses of %s is an issue", (codec, text) => {
  expect(withTemporal(`decoder(codecs.${codec}())("${text}").ok`)).toBe(false);
});

test("without Temporal the codec says what to do", () => {
  const message = run([], "(() => { try { codecs.instant(); } catch (failure) { return failure.message; } })()");
  if (typeof Temporal === "undefined") expect(message).toContain("--harmony-temporal");
});
