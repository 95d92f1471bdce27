/** Addresses that a caller named: loopback by its own name, or public over https. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressRefusal, urlRefusal } from "./address.ts";

describe("urlRefusal", () => {
  it.each([
    "http://localhost:8080/mcp",
    "http://127.0.0.1/mcp",
    "http://[::1]:3000/",
    "https://mcp.example.com/mcp",
    "https://93.184.216.34/",
    "https://[2606:4700::1111]/",
  ])("lets %s through", (url) => expect(urlRefusal(url)).toBeUndefined());

  it.each([
    "http://example.com/mcp",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://172.16.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://[fd00::1]/",
    "https://[fe80::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[2002:a9fe:a9fe::1]/",
    "https://0.0.0.0/",
    "http://0.0.0.0/",
    "https://[::]/",
    "https://100.64.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://0x7f.1/../",
    "http://0xa9fea9fe/",
    "http://2852039166/",
    "https://017700000001.example/",
    "https://user:secret@example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "not an address",
    "",
  ])("judges %s", (url) => {
    const refused = urlRefusal(url);
    const host = URL.parse(url)?.hostname;
    // Odd spellings of loopback are loopback by the time they are parsed; a public name is decided when it is looked up.
    if (host === "127.0.0.1" || host?.endsWith(".example")) expect(refused).toBeUndefined();
    else expect(refused).toBeDefined();
  });
});

describe("addressRefusal", () => {
  it.each([
    ["evil.example", "127.0.0.1"],
    ["evil.example", "::1"],
    ["evil.example", "10.1.2.3"],
    ["evil.example", "169.254.169.254"],
    ["evil.example", "::ffff:127.0.0.1"],
    ["evil.example", "fd12::1"],
    ["localhost", "10.0.0.1"],
    ["evil.example", "nonsense"],
  ])("%s must not lead to %s", (host, address) => expect(addressRefusal(host, address)).toBeDefined());

  it.each([
    ["localhost", "127.0.0.1"],
    ["localhost", "::1"],
    ["example.com", "93.184.216.34"],
    ["example.com", "2606:4700::1111"],
  ])("%s may lead to %s", (host, address) => expect(addressRefusal(host, address)).toBeUndefined());

  it("no address from outside leads to this machine", () => {
    for (const url of ["http://localhost:1/", "https://127.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/"]) {
      expect(urlRefusal(url, "public")).toBeDefined();
    }
    expect(addressRefusal("localhost", "127.0.0.1", "public")).toBeDefined();
    expect(urlRefusal("https://example.com/", "public")).toBeUndefined();
    expect(urlRefusal("http://10.0.0.1/", "anywhere")).toBeUndefined();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), fc.string(), (address, host) => {
        addressRefusal(host, address);
        urlRefusal(host);
      }),
    );
  });
});
