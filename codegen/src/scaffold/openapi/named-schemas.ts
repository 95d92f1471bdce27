/**
 * The schemas that a document names, as constants of the contract: each once for inputs, which refuse what they do not know, and once for
 * outputs, in an order in which none is used before it is there, what leads into itself aside.
 *
 * Not here: a schema's own text (`print/zod`).
 */
import { pascalCase } from "../../model/letter-case.ts";
import { quote } from "../../print/text.ts";
import { printZod } from "../../print/zod.ts";
import type { JsonSchema } from "../../schema/json-schema.ts";

type ImportSide = "input" | "output";

interface NamedConstant {
  readonly name: string;
  state: "begun" | "done";
}

/** Letters of a type's name, with its owner's and without what is added at its end. */
const longestName = 50;

const prefix = "#/components/schemas/";

export class NamedSchemas {
  readonly #schemas: Readonly<Record<string, JsonSchema>>;
  /** Begins every name that the contract's types have for others. */
  readonly #owner: string;
  readonly #constants = new Map<string, NamedConstant>();
  readonly #taken = new Set<string>();
  readonly #texts: string[] = [];

  constructor(schemas: Readonly<Record<string, JsonSchema>>, owner: string) {
    this.#schemas = schemas;
    this.#owner = pascalCase(owner);
  }

  /** The constants that what was printed so far needs. */
  texts(): readonly string[] {
    return this.#texts;
  }

  /** An expression of Zod for a schema of an operation. */
  print(schema: JsonSchema, side: ImportSide): string {
    return printZod(
      { ...schema, components: { schemas: this.#schemas } },
      {
        unnamed: side === "input" ? "refuse" : "leave out",
        formats: true,
        reference: (ref) => this.#reference(ref, side),
      },
    );
  }

  #reference(ref: string, side: ImportSide): string | undefined {
    const own = ref.startsWith(prefix)
      ? ref.slice(prefix.length).replaceAll("~1", "/").replaceAll("~0", "~")
      : undefined;
    const schema = own === undefined || !Object.hasOwn(this.#schemas, own) ? undefined : this.#schemas[own];
    if (own === undefined || schema === undefined) return undefined;
    const key = `${side} ${own}`;
    const known = this.#constants.get(key);
    if (known !== undefined) return known.state === "done" ? known.name : `z.lazy((): z.ZodType => ${known.name})`;
    const type = this.#typeName(own, side);
    const name = `schema${type}`;
    const constant: NamedConstant = { name, state: "begun" };
    this.#constants.set(key, constant);
    const text = this.print(schema, side);
    constant.state = "done";
    const isType =
      /^z\.(?:object|strictObject|looseObject|union|enum|literal)\(/.test(text) && !/\.nullable\(\)$/.test(text);
    const meta = isType ? `.meta({ id: ${quote(`${this.#owner}${type}`)} })` : "";
    // What leads into itself has a type that says so, since the compiler cannot find it out.
    const isRecursive = text.includes(`=> ${name})`);
    this.#texts.push(`const ${name}${isRecursive ? ": z.ZodType" : ""} = ${text}${meta};`);
    return name;
  }

  /** One that no other has, capitals aside. */
  #typeName(own: string, side: ImportSide): string {
    const base = `${pascalCase(own).slice(0, longestName - this.#owner.length)}${side === "input" ? "Input" : ""}`;
    let name = base;
    for (let again = 2; this.#taken.has(name.toLowerCase()); again += 1) name = `${base}${again}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
