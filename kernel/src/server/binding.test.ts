import { describe, expect, test } from "vitest";
import { bindingRefusal, isLoopback } from "./binding.ts";

describe("where the kernel may listen", () => {
  test.each([
    "127.0.0.1",
    "127.1.2.3",
    "localhost",
    "LOCALHOST",
    "::1",
    "[::1]",
    "0:0:0:0:0:0:0:1",
    "::ffff:127.0.0.1",
  ])("%s is loopback", (host) => {
    expect(isLoopback(host)).toBe(true);
    expect(bindingRefusal({ host }, 0)).toBeUndefined();
  });

  test.each([
    ...[
      "0.0.0.0",
      "0",
      "00",
      "0x0",
      "0x00000000",
      "0.0",
      "0.0.0",
      "000.000.000.000",
      "::",
      "[::]",
      "::0",
      "0::",
      "0:0:0:0:0:0:0:0",
    ],
    ...[
      "::ffff:0.0.0.0",
      "::ffff:0:0",
      "[::ffff:0.0.0.0]",
      "*",
      "",
      " ",
      "192.168.1.5",
      "10.0.0.1",
      "example.com",
      "::2",
      "fe80::1%lo",
    ],
    ...[
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "127.0.0.1.example.com",
      "localhost.example.com",
      "localhost.",
    ],
  ])("%s needs a token", (host) => {
    expect(bindingRefusal({ host }, 0)).toMatchObject({ code: "failed_precondition" });
    expect(bindingRefusal({ host }, 1)).toBeUndefined();
  });
});

test("an identity provider is as good as a token where it is said by which address clients call", () => {
  const host = "0.0.0.0";
  expect(bindingRefusal({ host, identity: { resource: "https://tools.example.com" } }, 0)).toBeUndefined();
  for (const tokens of [0, 1]) {
    expect(bindingRefusal({ host, identity: {} }, tokens)).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("identity.resource"),
    });
  }
  expect(bindingRefusal({ host: "127.0.0.1", identity: {} }, 0)).toBeUndefined();
});
