/** What may be sent along is taken by HTTP as it is, and what is refused is named. */
import { request } from "node:http";
import fc from "fast-check";
import { expect, it } from "vitest";
import { headerRefusal } from "./headers.ts";

it.each([{ authorization: "Bearer x" }, { "X-Team": "red", "x-other": "" }, { latin: "é" }, { padded: " x\n" }])(
  "%j are sent",
  (headers) => expect(headerRefusal(headers, false)).toBeUndefined(),
);

it.each([
  ["Content-Length", "5"],
  ["transfer-encoding", "chunked"],
  ["connection", "close"],
  ["Host", "elsewhere"],
  ["mcp-session-id", "another's"],
  ["a b", "x"],
  ["", "x"],
  ["x", "a\r\ny: b"],
  ["x", "世"],
])("%j: %j is not", (name, value) =>
  expect(headerRefusal({ fine: "x", [name]: value }, false)).toMatchObject({ name }),
);

it("the configuration may say which host a request is for", () => {
  expect(headerRefusal({ host: "inside.example" }, true)).toBeUndefined();
  expect(headerRefusal({ "content-length": "5" }, true)).toMatchObject({ name: "content-length" });
});

it("takes nothing that Node does not send", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: "binary" }), (name, text) => {
      if (headerRefusal({ [name]: text }, false) !== undefined) return;
      const sent = request({ host: "127.0.0.1", port: 1, headers: { [name]: text.trim() } });
      sent.on("error", () => undefined).destroy();
      expect(sent.getHeader(name)).toBe(text.trim());
    }),
  );
});
