/** Which may import which, between packages and inside the kernel. */
import { describe, expect, it } from "vitest";
import { files, read, type Source, sources, target } from "./sources.ts";

/** A service's page runs in a browser: it imports the console's kit and the types of its service's client, and nothing of the kernel. */
const pageFiles = /^services\/[^/]+\/console\//;

/** Each room: which of our packages it may name. Entries ending in a star match a prefix. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  codegen: ["@fairlead/contracts*"],
  kernel: ["@fairlead/contracts*"],
  "services/inspector/linq": [],
  "clients/typescript": [],
  // Of the contracts only what a verb shows of a value: the console names no contract.
  "clients/console": ["@fairlead/client*", "@fairlead/contracts/view"],
  "clients/cli": [
    "@fairlead/contracts*",
    "@fairlead/client*",
    "@fairlead/kernel",
    "@fairlead/kernel/handler",
    "@fairlead/kernel/manifest",
    "@fairlead/kernel/owner",
    "@fairlead/kernel/reference",
    "@fairlead/kernel/router",
    // What the mock makes of a contract is a service.
    "@fairlead/kernel/service",
    // The self-test's own service has child processes.
    "@fairlead/kernel/subprocess",
    "@fairlead/codegen",
    "@fairlead/codegen/client-names",
    "@fairlead/codegen/diff",
  ],
};

const services = [...new Set(files.flatMap((path) => /^services\/([^/]+)\//.exec(path)?.[1] ?? []))];

/** Packages of a service's own, inside of its folder. */
const ownPackages: Readonly<Record<string, readonly string[]>> = { "services/inspector": ["@fairlead/linq*"] };

/** Any service may use these of the contracts; `did-you-mean` by itself is for what has to stay small. */
const language = ["@fairlead/contracts", "@fairlead/contracts/did-you-mean"];

/** What the service of an imported upstream calls its tools with. */
const importRuntime = "@fairlead/service-connections/imported";

const entry = (name: string): string => `@fairlead/kernel/${name}`;

const allowedFor = (room: string): readonly string[] => {
  const id = /^services\/(.+)$/.exec(room)?.[1];
  return id === undefined
    ? (rooms[room] ?? [])
    : [
        ...language,
        `@fairlead/contracts/${id}`,
        importRuntime,
        ...["service", "subprocess", "memory"].map(entry),
        ...(ownPackages[room] ?? []),
      ];
};

const allowedForPage = (room: string): readonly string[] => [
  "@fairlead/console/kit",
  `@fairlead/client/${room.replace("services/", "")}`,
];

const ours = (name: string): boolean => name === "fairlead" || name.startsWith("@fairlead/");
const allows = (allowed: readonly string[], name: string): boolean =>
  allowed.some((entry) =>
    entry.endsWith("*") ? name === entry.slice(0, -1) || name.startsWith(`${entry.slice(0, -1)}/`) : name === entry,
  );

describe("between rooms", () => {
  it.each([...Object.keys(rooms), ...services.map((id) => `services/${id}`)])("%s imports only what it may", (room) => {
    const found = sources(room);
    expect(found.length).toBeGreaterThan(0);
    const wrong = found.flatMap(({ path, imports }) => {
      const allowed = pageFiles.test(path) ? allowedForPage(room) : allowedFor(room);
      return imports.filter((name) => ours(name) && !allows(allowed, name)).map((name) => `${path} imports ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  it.each(services)("code of %s and its page do not import each other", (id) => {
    const wrong = sources(`services/${id}`).flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith(".") && pageFiles.test(target(path, name)) !== pageFiles.test(path))
        .map((name) => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("no file reaches out of its package by a relative path", () => {
    const packages = [...Object.keys(rooms), ...services.map((id) => `services/${id}`)];
    const packageOf = (path: string): string | undefined =>
      packages.filter((room) => path.startsWith(`${room}/`)).sort((a, b) => b.length - a.length)[0];
    const wrong = packages.flatMap((room) =>
      sources(room).flatMap(({ path, imports }) =>
        imports
          .filter((name) => name.startsWith(".") && packageOf(target(path, name)) !== packageOf(path))
          .map((name) => `${path} imports ${name}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("nothing imports the tests", () => {
    const wrong = Object.keys(rooms).flatMap((room) =>
      sources(room).filter(({ imports }) => imports.some((name) => name.includes("/test/"))),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe("inside the kernel", () => {
  const kernel = sources("kernel");
  const byPath = new Map(kernel.map((source) => [source.path, source]));

  it("imports flow from the outside in", () => {
    const inner = /^kernel\/src\/(dispatch|policy|limits)\//;
    const outer = /^kernel\/src\/(transport|server)\//;
    const wrong = kernel
      .filter(({ path }) => inner.test(path))
      .flatMap((source) =>
        runtimeTargets(source)
          .filter((to) => outer.test(to))
          .map((to) => `${source.path} -> ${to}`),
      );
    expect(wrong).toEqual([]);
  });

  it("leaves import no other part of the kernel than leaves", () => {
    const leaves = [
      "config/config",
      "config/environment",
      "call/error",
      "call/record",
      "observe/events",
      "observe/log",
      "call/version",
      "config/tokens/token",
      "owner/places",
    ].map((name) => `kernel/src/${name}.ts`);
    const wrong = leaves.flatMap((path) => {
      const source = byPath.get(path);
      return source === undefined
        ? [`${path} is missing`]
        : runtimeTargets(source).filter((to) => to.startsWith("kernel/src/") && !leaves.includes(to));
    });
    expect(wrong).toEqual([]);
  });

  it("has exactly one computed import", () => {
    const computed = kernel.filter(({ text }) => /\bimport\s*\((?!\s*")/.test(text.replace(/\/\*[\s\S]*?\*\//g, "")));
    expect(computed.map(({ path }) => path)).toEqual(["kernel/src/host/module.ts"]);
  });
});

describe("cycles", () => {
  it.each([...Object.keys(rooms), ...services.map((id) => `services/${id}`)])("there is none in %s", (room) => {
    const graph = new Map(sources(room).map((source) => [source.path, targets(source)]));
    expect(cycleIn(graph)).toEqual([]);
  });
});

describe("the tree", () => {
  it("has no file over 400 lines but data", () => {
    const long = files
      .filter((path) => path.endsWith(".ts") && !/\/(gen|data)\//.test(path))
      .filter((path) => read(path).split("\n").length > 401);
    expect(long).toEqual([]);
  });

  it("has in gen/ only what a machine wrote", () => {
    const generated = files.filter((path) => /(^|\/)gen\//.test(path));
    expect(generated.length).toBeGreaterThan(5);
    expect(
      generated.filter(
        (path) => !/[Gg]enerated by (?:fairlead gen|npm run (?:bundle|import))/.test(read(path).slice(0, 2_000)),
      ),
    ).toEqual([]);
  });

  it("names only files that exist in its documents", () => {
    const documents = files.filter((path) => path.endsWith(".md") && !path.includes("/expected/"));
    const known = new Set(files);
    const folders = new Set(
      files.flatMap((path) => path.split("/").map((_, index, parts) => parts.slice(0, index).join("/"))),
    );
    const missing = documents.flatMap((document) =>
      [
        ...read(document).matchAll(
          /`((?:contracts|codegen|kernel|services|clients|test|docs|examples|\.ci)\/[\w./-]+)`/g,
        ),
      ]
        .flatMap(([, path]) => (path === undefined ? [] : [path.replace(/\/$/, "")]))
        .filter((path) => !known.has(path) && !folders.has(path))
        .map((path) => `${document} names ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

/** What a source imports from its own package, types included: who reads one file should not have to read it first. */
const targets = ({ path, imports }: Source): readonly string[] =>
  imports.filter((name) => name.startsWith(".")).map((name) => target(path, name));

/** What a source imports at run time from its own package. */
function runtimeTargets({ path, text }: Source): readonly string[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?[^;]*?from\s+"(\.[^"]+)"/gm);
  return [...statements].flatMap(([statement, type, name]) => {
    const named = /\{([^}]*)\}/.exec(statement)?.[1];
    const allTypes = named?.split(",").every((item) => item.trim() === "" || item.trim().startsWith("type ")) ?? false;
    return type !== undefined || allTypes || name === undefined ? [] : [target(path, name)];
  });
}

/** One cycle as a list of paths, or nothing. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    done.add(path);
    for (const next of graph.get(path) ?? []) {
      const cycle = walk(next, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    return [];
  };
  for (const path of graph.keys()) {
    const cycle = walk(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
