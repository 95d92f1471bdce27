import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffStats, sortChanges } from "../stats/stat-change.ts";
import { buildXml } from "../testing/test-kernel.ts";
import { explainUnknownFile, listBuildFiles, readBuildFile } from "./build-folder.ts";
import { compareBuilds } from "./compare.ts";
import { maxBuildChars } from "./limits.ts";
import { decodeShareCode, encodeShareCode } from "./share-code.ts";
import { readBuild, summarizeBuild } from "./summary.ts";
import { validateText } from "./validate.ts";
import { parseXml } from "./xml.ts";

const rootOf = (text: string) => {
  const read = readBuild(text);
  if (!read.ok) throw new Error(read.why);
  return read.root;
};

describe("share codes", () => {
  test("any text comes back, with and without padding, in both alphabets", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const wellFormed = text.toWellFormed();
        const code = encodeShareCode(wellFormed);
        const standard = Buffer.from(code, "base64url").toString("base64");
        for (const form of [code, `${code}==`, standard, ` ${code}\n`]) {
          expect(decodeShareCode(form)).toEqual({ ok: true, xml: wellFormed });
        }
      }),
    );
  });

  test("codes are read from texts: broken into lines, quoted, with a link around them", () => {
    const xml = buildXml();
    const code = encodeShareCode(xml);
    const broken = (code.match(/.{1,76}/g) ?? []).join("\r\n> ");
    for (const text of [broken, `"${code}"`, `\`\`\`\n${code}\n\`\`\``, `mine: https://example.org/pob/${code}?x=1`])
      expect(readBuild(text)).toMatchObject({ ok: true, xml });
  });

  test("a link is named as one, and a build of the other game as that", () => {
    expect(readBuild("https://pobb.in/abcDEF")).toEqual({
      ok: false,
      why: expect.stringMatching(/that is a link to pobb\.in, and nothing is fetched/),
    });
    const second = /it is a build of Path of Exile 2/;
    expect(readBuild("<PathOfBuilding2><Build/></PathOfBuilding2>")).toMatchObject({
      why: expect.stringMatching(second),
    });
    expect(readBuild(buildXml({ treeVersion: "0_1" }))).toMatchObject({ why: expect.stringMatching(second) });
  });

  test("codes begin as Path of Building's do", () => {
    expect(encodeShareCode(buildXml())).toMatch(/^eN/);
  });

  test("nothing makes it throw", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof decodeShareCode(text).ok === "boolean"));
    fc.assert(fc.property(fc.base64String(), (text) => typeof decodeShareCode(text).ok === "boolean"));
  });

  test("a bomb is refused while it unpacks", () => {
    const bomb = deflateSync(Buffer.alloc(maxBuildChars + 1, "a")).toString("base64url");
    expect(decodeShareCode(bomb)).toEqual({ ok: false, why: expect.stringContaining("unpacks to more than") });
  });
});

describe("XML", () => {
  test.each([
    ["a document type", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /document type/],
    ["depth", `${"<a>".repeat(100)}${"</a>".repeat(100)}`, /nested more than/],
    ["size", `<a>${" ".repeat(maxBuildChars)}</a>`, /longer than/],
    ["a crowd of elements", `<a>${"<b/>".repeat(20_000)}</a>`, /more than 20000 elements/],
    ["a crowd of comments", `<a>${"<!---->".repeat(20_000)}</a>`, /more than 20000 elements/],
    ["a crowd of attributes", `<a ${'b="" '.repeat(70_000)}/>`, /more than 60000 attributes/],
    ["a crowd of references", `<a>${"&lt;".repeat(200_000)}</a>`, /more than 100000 references/],
    ["a truncated text", "<PathOfBuilding><Build", /./],
    ["nothing", "", /./],
    ["an unknown entity", "<a>&secret;</a>", /./],
  ])("%s is refused", (_name, text, why) => {
    expect(parseXml(text)).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  test("depth is counted right: flat documents of any length pass", () => {
    expect(parseXml(`<a>${'<b c=">"/><d></d><!-- <e> --><![CDATA[<f>]]>'.repeat(2_000)}</a>`).ok).toBe(true);
  });

  test("nothing makes it throw", () => {
    const piece = fc.constantFrom(
      "<a>",
      "</a>",
      "<a/>",
      "<",
      ">",
      "&lt;",
      "&",
      '"',
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?x?>",
      "<!X>",
      "t",
      "\0",
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => typeof parseXml(pieces.join("")).ok === "boolean"));
  });
});

describe("reading a build", () => {
  test("gives class, level, main skill, items, gems, tree and stored stats", () => {
    expect(summarizeBuild(rootOf(encodeShareCode(buildXml())))).toEqual({
      level: 20,
      className: "Witch",
      ascendancy: null,
      mainSkill: "Arc",
      tree: {
        treeVersion: "3_28",
        classId: 3,
        ascendClassId: 0,
        secondaryAscendClassId: 0,
        nodes: [1, 10, 11, 40],
        masteryEffects: { 40: 101 },
      },
      skills: [
        {
          label: "main",
          slot: "Body Armour",
          enabled: true,
          gems: [{ name: "Arc", level: 10, quality: 0, enabled: true }],
        },
      ],
      items: [{ slot: "Weapon 1", rarity: "RARE", name: "Test Wand" }],
      notes: "for tests",
      storedStats: { Life: 301.5 },
    });
  });

  test("an empty build is read, a stranger is refused", () => {
    expect(summarizeBuild(rootOf("<PathOfBuilding/>"))).toMatchObject({ level: 1, tree: null, skills: [] });
    expect(readBuild("<html/>")).toEqual({ ok: false, why: expect.stringContaining("its root is <html>") });
  });
});

describe("validation", () => {
  test.each([
    ["garbage", "garbage", /share code/],
    ["truncated", buildXml().slice(0, 300), /XML cannot be read/],
    ["empty root", "<PathOfBuilding/>", /no <Build>/],
    ["wrong root", "<Other/>", /root/],
    ["an old game version", buildXml({ targetVersion: "2_6" }), /3_0 only/],
    ["an unknown tree", buildXml({ treeVersion: "9_99" }), /9_99 is not known/],
  ])("%s is an error", (_name, text, message) => {
    const { valid, problems } = validateText(text, ["3_28"]);
    expect(valid).toBe(false);
    expect(problems[0]).toMatchObject({
      severity: "error",
      message: expect.stringMatching(message),
      fix: expect.any(String),
    });
  });

  test("a good build has no problem, a lost item is a warning", () => {
    expect(validateText(buildXml(), ["3_28"])).toEqual({ valid: true, problems: [] });
    const lost = buildXml().replace('itemId="1"', 'itemId="7"');
    expect(validateText(lost)).toMatchObject({ valid: true, problems: [{ severity: "warning", where: "Items" }] });
  });
});

describe("comparing", () => {
  test("names what differs and counts the trees", () => {
    const other = buildXml({ level: 21, nodes: [1, 10, 20], gem: "Spark", masteries: "" });
    const { changes, tree, text } = compareBuilds(rootOf(buildXml()), rootOf(other));
    expect(changes).toEqual([
      { what: "level", a: "20", b: "21" },
      { what: "main skill", a: "Arc", b: "Spark" },
      { what: "skills: group 1 (main)", a: "Arc 10/0", b: "Spark 10/0" },
      { what: "mastery 40", a: "101", b: null },
    ]);
    expect(tree).toEqual({ onlyA: [11, 40], onlyB: [20], both: 2 });
    expect(text).toContain("2 nodes in both, 2 only in the first, 1 only in the second");
  });

  test("a build is the same as itself", () => {
    expect(compareBuilds(rootOf(buildXml()), rootOf(buildXml())).changes).toEqual([]);
  });
});

describe("changes of stats", () => {
  const stats = fc.dictionary(
    fc.constantFrom("Life", "FullDPS", "Other", "Zap"),
    fc.oneof(fc.integer(), fc.constantFrom("a", "b")),
  );

  test("are exactly what differs, the important ones first", () => {
    fc.assert(
      fc.property(stats, stats, (before, after) => {
        const sorted = sortChanges(diffStats(before, after), undefined);
        expect(new Set(sorted.map(({ name }) => name))).toEqual(
          new Set([...Object.keys(before), ...Object.keys(after)].filter((name) => before[name] !== after[name])),
        );
        const ranks = sorted.map(({ name }) => (name === "FullDPS" ? 0 : name === "Life" ? 1 : 2));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });
});

test("the folder gives only its own files, by their listed names", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fairlead-pob-"));
  try {
    await writeFile(join(folder, "one.xml"), buildXml());
    await writeFile(join(folder, "two.txt"), "no build");
    await symlink("/etc/hostname", join(folder, "link.xml"));
    expect((await listBuildFiles(folder)).map(({ file }) => file)).toEqual(["one.xml"]);
    expect(await readBuildFile(folder, "one")).toMatchObject({ ok: true });
    for (const name of ["../one.xml", "/etc/hostname", "link.xml", "two.txt", ""]) {
      expect(await readBuildFile(folder, name)).toEqual({ ok: false, known: ["one.xml"] });
    }
    expect(await readBuildFile(undefined, "one.xml")).toEqual({ ok: false, known: [] });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ["one", [], undefined, { message: "no folder of builds is configured", hint: /^set POB_BUILDS_PATH/ }],
  [
    "one",
    [],
    "/builds",
    { message: 'there is no build "one": /builds has no builds, or cannot be read', hint: /^put/ },
  ],
  ["wich", ["witch.xml"], "/builds", { message: /no build "wich" in \/builds/, hint: /^did you mean witch\.xml\?$/ }],
  ["witch", ["witch.xml"], "/builds", { message: "witch.xml is too large", hint: /bytes/ }],
  ["zebra", ["witch.xml"], "/builds", { message: /zebra/, hint: /list_builds/ }],
] as const)("a file %s that is not among %j in %s", (file, known, folder, { message, hint }) => {
  expect(explainUnknownFile(file, known, folder)).toEqual({
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});
