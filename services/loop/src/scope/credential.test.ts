import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCredentials } from "./credential.ts";

/** Put together here, so that this file holds none. */
const samples: readonly (readonly [kind: string, text: string])[] = [
  ["a private key", `-----BEGIN RSA PRIVATE ${"KEY-----"}`],
  ["a private key", `-----BEGIN PRIVATE ${"KEY-----"}`],
  ["an AWS access key", `AKIA${"ABCDEFGH12345678"}`],
  ["a GitHub token", `ghp_${"a1".repeat(18)}`],
  ["a GitHub token", `github_pat_${"a1".repeat(35)}`],
  ["a GitLab token", `glpat-${"a1".repeat(10)}`],
  ["a Slack token", `xoxb-${"1234567890-".repeat(3)}`],
  ["a Google API key", `AIza${"a1_".repeat(12)}`],
  ["a Stripe key", `sk_live_${"a1".repeat(12)}`],
  ["an npm token", `npm_${"a1".repeat(18)}`],
  ["a key of a model's provider", `sk-ant-${"a1".repeat(12)}`],
  ["a password in an address", `postgres://me:${"correcthorse"}@db.example.com/x`],
];

const patch = (sign: "+" | "-" | " ", text: string): string =>
  `--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n${sign}${text}\n`;

describe("credentials", () => {
  it.each(samples)("%s is recognised by its shape, in an added line only, and not shown", (kind, text) => {
    expect(findCredentials(patch("+", `const key = "${text}";`))).toEqual([`src/a.ts: ${kind}`]);
    expect(findCredentials(patch("-", text))).toEqual([]);
    expect(findCredentials(patch(" ", text))).toEqual([]);
  });

  it.each([
    "const password = process.env.PASSWORD;",
    'const token = "changeme";',
    "-----BEGIN PUBLIC KEY-----",
    "https://example.com:8443/a@b",
    `postgres://user:$${"{PASSWORD}"}@localhost/db`,
    "sha512-AKIA0000000000000000000000000000000000",
    "git@github.com:me/it.git",
  ])("%s is none", (text) => {
    expect(findCredentials(patch("+", text))).toEqual([]);
  });

  it("are looked for in time that grows with the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", ":", "/", "@", "-", "_", "A", "1"), maxLength: 300 }),
        (text) => {
          expect(findCredentials(patch("+", text.repeat(30))).length).toBeLessThanOrEqual(10);
        },
      ),
      { numRuns: 300 },
    );
  });
});
