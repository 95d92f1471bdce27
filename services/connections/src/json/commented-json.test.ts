/** Entries put into files that people write: the rest stays, comments and trailing commas included. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insertEntry, parseCommentedJson } from "./commented-json.ts";

const entry = { member: "mcpServers", name: "new", value: { url: "http://localhost/mcp" } };
const written = '"new": {\n      "url": "http://localhost/mcp"\n    }';

describe("an entry put into a file", () => {
  it.each([
    ["{}", `{\n  "mcpServers": {\n    "new": {\n      "url": "http://localhost/mcp"\n    }\n  }\n}`],
    [
      '{\n  // ours\n  "mcpServers": {\n    "old": { "url": "http://x" } // stays here\n  }\n}\n',
      `{\n  // ours\n  "mcpServers": {\n    "old": { "url": "http://x" }, // stays here\n    ${written}\n  }\n}\n`,
    ],
    [
      '{\n  "mcpServers": {\n    "old": { "url": "http://x" }, // more\n    /* to come, */\n  },\n}\n',
      `{\n  "mcpServers": {\n    "old": { "url": "http://x" }, // more\n    /* to come, */\n    ${written}\n  },\n}\n`,
    ],
    [
      '{\n  "a": "// no comment, }",\n  "mcpServers": {}\n}',
      `{\n  "a": "// no comment, }",\n  "mcpServers": {\n    ${written}\n  }\n}`,
    ],
  ])("%j", (before, after) => {
    expect(insertEntry(before, entry)).toBe(after);
  });

  it.each([
    ['{"mcpServers":{"new":1}}', "its mcpServers has an entry new already"],
    ['{"mcpServers":[]}', "its mcpServers is not an object"],
    ["[]", "it is not an object"],
    ["{", "JSON"],
    ['{"mcpServers":{}, "mcpServers":{}} x', "JSON"],
  ])("is refused in %j", (before, why) => {
    expect(() => insertEntry(before, entry)).toThrow(why);
  });

  it.each(["/*", '\\"', '"\\"', ",", "//", "{"])("a long text of %j is refused at once", (piece) => {
    expect(() => parseCommentedJson(`"${piece.repeat(200_000)}`)).toThrow(SyntaxError);
    expect(() => parseCommentedJson(piece.repeat(200_000))).toThrow(SyntaxError);
  });

  it("leaves each line of the file where it was, whatever is in it", () => {
    const filler = fc.constantFrom("", " ", "\n", ' // a "note", {\n', "/* } , [ */", "\t");
    const servers = fc.dictionary(
      fc.string({ maxLength: 6 }).filter((key) => key !== "new" && key !== "__proto__"),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(
        servers,
        fc.boolean(),
        fc.array(filler, { minLength: 4, maxLength: 4 }),
        (known, comma, [a, b, c, d]) => {
          const members = Object.entries(known).map(
            ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
          );
          const last = comma && members.length > 0 ? "," : "";
          const text = `{${a}"mcpServers":${b}{${members.join(`,${c}`)}${last}${d}}${a}}`;
          const after = insertEntry(text, entry);
          expect(parseCommentedJson(after)).toEqual({ mcpServers: { ...known, new: entry.value } });
          for (const note of text.match(/\/\/ a "note", \{|\/\* \} , \[ \*\//g) ?? []) expect(after).toContain(note);
        },
      ),
    );
  });
});
