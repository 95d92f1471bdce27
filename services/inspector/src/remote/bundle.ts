/**
 * Modules of this house as one piece of source that runs where the house is not: each becomes a function that returns its
 * exports, in the order of their imports. It reads the forms of import and export that they use and refuses others.
 */
import { readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { pathToFileURL } from "node:url";

/** Statements that define `entry`, an object with the exports of the module at `start`. */
export const bundled = (start: URL, entry: string): string => {
  const names = new Map<string, string>();
  const parts: string[] = [];
  const add = (at: URL): string => {
    const known = names.get(at.href);
    if (known === "") throw new Error(`${at.href} imports itself in a circle`);
    if (known !== undefined) return known;
    names.set(at.href, "");
    const body = linked(sourceOf(at), (wanted) =>
      wanted.startsWith("node:") ? `process.getBuiltinModule("${wanted}")` : add(placeOf(wanted, at)),
    );
    const name = `m${parts.length}`;
    parts.push(`const ${name} = (() => {\n${body}\n})();`);
    names.set(at.href, name);
    return name;
  };
  const last = add(start);
  return `${parts.join("\n")}\nconst ${entry} = ${last};`;
};

const placeOf = (wanted: string, at: URL): URL =>
  wanted.startsWith(".") ? new URL(wanted, at) : pathToFileURL(createRequire(at).resolve(wanted));

/** Without types, and without the comments that only people read. */
const sourceOf = (at: URL): string => {
  const text = readFileSync(at, "utf8");
  const source = at.pathname.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
  return source.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "").replaceAll(/(?<! ) +$/gm, "");
};

const importing = /^import\s*(?:\*\s*as\s+(\w+)|\{([^}]*)\})\s*from\s*"([^"]+)";/gm;
const passingOn = /^export\s*(?:\*|\{([^}]*)\})\s*from\s*"([^"]+)";/gm;
const listing = /^export\s*\{([^}]*)\};/gm;
const declaring = /^export\s+((?:const|class|function\*?|async\s+function)\s+(\w+))/gm;

/** A module's source as the body of a function that returns its exports. */
const linked = (source: string, from: (wanted: string) => string): string => {
  const given: string[] = [];
  const body = source
    .replace(importing, (_, all: string | undefined, list: string | undefined, wanted: string) => {
      const module = from(wanted);
      return `const ${all ?? `{ ${renamed(list ?? "").join(", ")} }`} = ${module};`;
    })
    .replace(passingOn, (_, list: string | undefined, wanted: string) => {
      const module = from(wanted);
      given.push(
        list === undefined
          ? `...${module}`
          : namesIn(list)
              .map(([name, as]) => `${as}: ${module}.${name}`)
              .join(", "),
      );
      return "";
    })
    .replace(listing, (_, list: string) => {
      given.push(...namesIn(list).map(([name, as]) => `${as}: ${name}`));
      return "";
    })
    .replace(declaring, (_, declaration: string, name: string) => {
      given.push(name);
      return declaration;
    });
  const left = /^(?:import|export)\b.*/m.exec(body);
  if (left !== null) throw new Error(`This form of import or export can not be sent: ${left[0]}`);
  return `${body}\nreturn { ${given.filter((each) => each !== "").join(", ")} };`;
};

const namesIn = (list: string): readonly (readonly [name: string, as: string])[] =>
  list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => {
      const [name = "", as = name] = each.split(" as ");
      return [name, as];
    });

const renamed = (list: string): readonly string[] =>
  namesIn(list).map(([name, as]) => (name === as ? name : `${name}: ${as}`));
