/**
 * Declarations of this house as one piece of source that runs where the house is not: those asked for and what they need, no more. Each
 * module becomes a function that returns what others need of it. It reads the forms of import, export and declaration that the
 * house uses, each at the start of a line, and refuses others.
 */
import { readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { pathToFileURL } from "node:url";

interface Import {
  readonly from: string;
  /** Name there; `*` for all of it. */
  readonly name: string;
}

interface Statement {
  readonly text: string;
  /** Names that it declares. */
  readonly names: readonly string[];
}

interface Module {
  readonly at: string;
  readonly statements: readonly Statement[];
  readonly declared: ReadonlyMap<string, Statement>;
  readonly imports: ReadonlyMap<string, Import>;
  /** What it passes on under another name or from elsewhere. */
  readonly passes: ReadonlyMap<string, Import>;
  readonly passesAll: readonly string[];
}

interface Declarer {
  readonly at: string;
  /** True when generated source may call for it. */
  readonly isPortable: boolean;
}

/** What is needed of one module. */
interface Need {
  readonly module: Module;
  readonly statements: Set<Statement>;
  /** Source of what it takes from others, by its own name for it. */
  readonly taken: Map<string, string>;
  readonly given: Set<string>;
}

/** Sources that are remembered: questions ask for much the same. */
const kept = 32;

/** All modules that some reach, and pieces of their source. */
export class Library {
  readonly #modules = new Map<string, Module>();
  /** Modules that declare a name; those that give it a recipe alone, where there are any. */
  readonly #declarers = new Map<string, readonly Declarer[]>();

  readonly #sources = new Map<string, string>();

  constructor(starts: readonly URL[]) {
    for (const start of starts) this.#read(start.href);
  }

  /** Names of declarations that generated source may call for: those that give recipes. */
  get portables(): readonly string[] {
    return [...this.#declarers].filter(([, all]) => all.some(({ isPortable }) => isPortable)).map(([name]) => name);
  }

  /** Statements that define these names. Of several declarations of a name the one with a recipe is meant. */
  source(names: readonly string[]): string {
    const key = [...names].sort().join();
    const made = this.#sources.get(key) ?? this.#source(names);
    if (this.#sources.size >= kept) this.#sources.clear();
    this.#sources.set(key, made);
    return made;
  }

  #source(names: readonly string[]): string {
    const parts = new Parts(this.#modules);
    const taken = names.map((name) => `const ${name} = ${parts.take({ from: this.#declarer(name), name })};`);
    return [...parts.sources(), ...taken].join("\n");
  }

  #declarer(name: string): string {
    const all = this.#declarers.get(name) ?? [];
    const portable = all.filter(({ isPortable }) => isPortable);
    const [only, ...others] = portable.length > 0 ? portable : all;
    if (only === undefined || others.length > 0) throw new Error(`No module, or more than one, declares ${name}`);
    return only.at;
  }

  #read(at: string): void {
    if (this.#modules.has(at) || at.startsWith("node:")) return;
    const module = moduleAt(at);
    this.#modules.set(at, module);
    for (const [name, { text }] of module.declared) {
      const isPortable = recipe.exec(text)?.[1] === name;
      this.#declarers.set(name, [...(this.#declarers.get(name) ?? []), { at, isPortable }]);
    }
    const others = [...module.imports.values(), ...module.passes.values()].map(({ from }) => from);
    for (const from of [...others, ...module.passesAll]) this.#read(from);
  }
}

const recipe = /^const \w+(?:: \w+)?\s*=\s*(?:portable|named)\(\s*"(\w+)"/;

/** Collects what is needed, module by module, each after those that it takes from. */
class Parts {
  readonly #modules: ReadonlyMap<string, Module>;
  readonly #needs = new Map<string, Need>();

  constructor(modules: ReadonlyMap<string, Module>) {
    this.#modules = modules;
  }

  /** Makes something available; gives the source that reaches it. */
  take({ from, name }: Import): string {
    if (from.startsWith("node:")) {
      const whole = `process.getBuiltinModule(${JSON.stringify(from)})`;
      return name === "*" ? whole : `${whole}.${name}`;
    }
    const module = this.#modules.get(from);
    if (module === undefined) throw new Error(`${from} is not among the modules`);
    if (name === "*")
      return `{ ${[...module.declared.keys()].map((each) => `${each}: ${this.take({ from, name: each })}`).join(", ")} }`;
    const passed = passedOn(module, name, this.#modules);
    if (passed !== undefined) return this.take(passed);
    const need = this.#need(module);
    need.given.add(name);
    this.#declare(need, name);
    return `${this.#nameOf(from)}.${name}`;
  }

  *sources(): Iterable<string> {
    const done = new Set<string>();
    const open = new Set<string>();
    const inOrder: string[] = [];
    const visit = (at: string): void => {
      if (done.has(at)) return;
      if (open.has(at)) throw new Error(`${at} imports itself in a circle`);
      open.add(at);
      for (const source of this.#needs.get(at)?.taken.values() ?? [])
        for (const [, index] of source.matchAll(/\bm(\d+)\./g)) visit([...this.#needs.keys()][Number(index)] ?? at);
      open.delete(at);
      done.add(at);
      inOrder.push(at);
    };
    for (const at of this.#needs.keys()) visit(at);
    for (const at of inOrder) {
      const need = this.#needs.get(at);
      if (need !== undefined) yield `const ${this.#nameOf(at)} = (() => {\n${bodyOf(need)}\n})();`;
    }
  }

  #nameOf(at: string): string {
    return `m${[...this.#needs.keys()].indexOf(at)}`;
  }

  #need(module: Module): Need {
    const known = this.#needs.get(module.at);
    if (known !== undefined) return known;
    const fresh = {
      module,
      statements: new Set<Statement>(),
      taken: new Map<string, string>(),
      given: new Set<string>(),
    };
    this.#needs.set(module.at, fresh);
    return fresh;
  }

  /** A declaration of the module, and all that it mentions. */
  #declare(need: Need, name: string): void {
    const statement = need.module.declared.get(name);
    if (statement === undefined) throw new Error(`${need.module.at} does not declare ${name}`);
    if (need.statements.has(statement)) return;
    need.statements.add(statement);
    for (const mentioned of mentions(statement.text)) {
      if (need.module.declared.has(mentioned)) this.#declare(need, mentioned);
      const wanted = need.module.imports.get(mentioned);
      if (wanted !== undefined && !need.taken.has(mentioned)) {
        need.taken.set(mentioned, "");
        need.taken.set(mentioned, this.take(wanted));
      }
    }
  }
}

/** Where a name that a module only passes on comes from. */
const passedOn = (module: Module, name: string, modules: ReadonlyMap<string, Module>): Import | undefined => {
  if (module.declared.has(name)) return undefined;
  const passed = module.passes.get(name);
  if (passed !== undefined) return passed;
  const from = module.passesAll.find((at) => {
    const other = modules.get(at);
    return other !== undefined && (other.declared.has(name) || passedOn(other, name, modules) !== undefined);
  });
  return from === undefined ? undefined : { from, name };
};

const bodyOf = ({ module, statements, taken, given }: Need): string =>
  [
    ...[...taken].map(([name, source]) => `const ${name} = ${source};`),
    ...module.statements.filter((each) => statements.has(each)).map(({ text }) => text),
    `return { ${[...given].join(", ")} };`,
  ].join("\n");

/** Identifiers that are no member's and no key's name; some are only locals or words. */
const mentions = (text: string): Iterable<string> => {
  const bare = text.split("\n").map(withoutStrings).join("\n");
  return new Set(bare.match(/(?<![\w$#]|(?<!\.\.)\.)[A-Za-z_$][\w$]*(?!\w|:)/g) ?? []);
};

/** A line in which not every quote has its other is left as it is: to send too much does no harm. */
const withoutStrings = (line: string): string => {
  const parts = line.replaceAll(/\\./g, "").split('"');
  return parts.length % 2 === 1 ? parts.filter((_, index) => index % 2 === 0).join('""') : line;
};

const importing = /^import\s*(?:\*\s*as\s+(\w+)|\{([^}]*)\})\s*from\s*"([^"]+)";/;
const passingOn = /^export\s*(?:\*|\{([^}]*)\})\s*from\s*"([^"]+)";/;
const listing = /^export\s*\{([^}]*)\};/;
const declaring = /^(?:export\s+)?((?:const|let|class|function\*?|async\s+function)\s+(?:(\w+)|\{([^}]*)\}))/;

const moduleAt = (at: string): Module => {
  const imports = new Map<string, Import>();
  const passes = new Map<string, Import>();
  const passesAll: string[] = [];
  const statements: Statement[] = [];
  for (const text of statementsOf(sourceOf(new URL(at)))) {
    const imported = importing.exec(text);
    const passed = passingOn.exec(text);
    const listed = listing.exec(text);
    const declared = declaring.exec(text);
    if (imported !== null) {
      const [, all, list = "", wanted = ""] = imported;
      const from = placeOf(wanted, at);
      if (all !== undefined) imports.set(all, { from, name: "*" });
      for (const [name, as] of namesIn(list)) imports.set(as, { from, name });
    } else if (passed !== null) {
      const [, list, wanted = ""] = passed;
      const from = placeOf(wanted, at);
      if (list === undefined) passesAll.push(from);
      for (const [name, as] of namesIn(list ?? "")) passes.set(as, { from, name });
    } else if (listed !== null) {
      for (const [name, as] of namesIn(listed[1] ?? "")) if (name !== as) passes.set(as, { from: at, name });
    } else if (declared !== null) {
      const [, , one, several] = declared;
      const names = one === undefined ? namesIn(several ?? "").map(([, as]) => as) : [one];
      statements.push({ text: text.replace(/^export\s+/, ""), names });
    } else if (/^(?:import|export)\b/.test(text)) {
      throw new Error(`This form of import or export can not be sent: ${text.split("\n", 1)[0]}`);
    }
  }
  const declared = new Map(statements.flatMap((each) => each.names.map((name) => [name, each] as const)));
  return { at, statements, declared, imports, passes, passesAll };
};

/** A statement starts where a line does, and with a word that starts one. */
const statementsOf = (source: string): readonly string[] =>
  source.split(/^(?=(?:import|export|const|let|class|async\s+function|function)\b)/m);

const placeOf = (wanted: string, at: string): string => {
  if (wanted.startsWith("node:")) return wanted;
  return (wanted.startsWith(".") ? new URL(wanted, at) : pathToFileURL(createRequire(at).resolve(wanted))).href;
};

/** Without types, and without the comments that only people read. */
const sourceOf = (at: URL): string => {
  const text = readFileSync(at, "utf8");
  const source = at.pathname.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
  let inComment = false;
  const lines = source.split("\n").filter((line) => {
    const text = line.trim();
    inComment ||= text.startsWith("/**");
    const isSource = !inComment && text !== "";
    if (text.endsWith("*/")) inComment = false;
    return isSource;
  });
  return lines.map((line) => line.trimEnd()).join("\n");
};

const namesIn = (list: string): readonly (readonly [name: string, as: string])[] =>
  list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => {
      const [name = "", as = name] = each.split(/ as |: /);
      return [name, as];
    });
