/**
 * The kernel, codegen and the command line know no particular service: no module, procedure or file of theirs is named after one. Prose
 * may give one as an example.
 */
import { basename } from "node:path";
import { expect, it } from "vitest";
import { isForTests } from "./folders.ts";
import { files, packages, sources } from "./sources.ts";
import { nodes, parse } from "./syntax.ts";

const services = packages.flatMap((folder) => /^services\/([^/]+)$/.exec(folder)?.[1] ?? []);

/** A service's id, its module in another package, or one of its procedures, and nothing around it. */
const name = new RegExp(`^(?:@fairlead/(?:contracts/|client/|service-))?(?:${services.join("|")})(?:\\.\\w+)*$`);

/** The texts of a source that name a service. */
const namedIn = (path: string, text: string): readonly string[] =>
  [...nodes(parse(path, text))].flatMap(({ type, value }) =>
    type === "Literal" && typeof value === "string" && name.test(value) ? [`${path}: ${value}`] : [],
  );

it("finds the services", () => {
  expect(services).toContain("rules");
});

it("sees a module, a procedure and an id, and not an example in prose", () => {
  const text =
    'import r from "@fairlead/contracts/rules"; call("rules.odds"); f("rules"); help("A name, like rules.odds");';
  expect(namedIn("x.ts", text)).toHaveLength(3);
});

it.each(["kernel", "codegen", "clients/cli", "clients/console"])("%s names no service", (room) => {
  const code = sources(room).filter(({ path }) => !isForTests(path));
  expect(code.flatMap(({ path, text }) => namedIn(path, text))).toEqual([]);
});

it.each(["kernel", "codegen", "clients/cli", "clients/console"])(
  "%s has no file that is named after a service",
  (room) => {
    const words = (path: string): readonly string[] => basename(path).split(/[.-]/);
    const own = files.filter((path) => path.startsWith(`${room}/src/`) && !isForTests(path));
    const named = own.filter((path) => words(path).some((word) => services.includes(word)));
    expect(named).toEqual([]);
  },
);
