/** All JSON Schema that a kernel publishes: documents of services, procedures and named types as they are served, and its tools. */
import type { Kernel, ToolEntry } from "@fairlead/kernel";

export interface PublishedDocument {
  /** Its path, like `rules/resolveAttack.json`. */
  readonly name: string;
  readonly text: string;
  readonly schema: {
    readonly $id?: string;
    readonly properties?: Readonly<Record<string, object>>;
    readonly $defs?: Readonly<Record<string, object>>;
  };
}

export interface PublishedDocuments {
  readonly documents: readonly PublishedDocument[];
  readonly tools: readonly { readonly name: string; readonly schemas: readonly object[] }[];
}

export const publishedDocuments = async (kernel: Kernel): Promise<PublishedDocuments> => {
  const { port } = await kernel.serve();
  const read = async (name: string): Promise<PublishedDocument> => {
    const response = await fetch(`http://127.0.0.1:${port}/schema/${name}`);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    const text = await response.text();
    return { name, text, schema: JSON.parse(text) };
  };
  const services = [...new Set(kernel.catalog.all().map(({ name }) => name.split(".")[0] ?? ""))];
  const whole = await Promise.all(services.map((service) => read(`${service}.json`)));
  const types = new Set<string>();
  const parts = whole.flatMap(({ name, schema }) => {
    const own = Object.keys(schema.$defs ?? {}).filter((each) => !each.includes(".") && !types.has(each));
    for (const each of own) types.add(each);
    const folder = name.replace(".json", "");
    return [...Object.keys(schema.properties ?? {}), ...own].map((part) => `${folder}/${part}.json`);
  });
  const tools = await kernel.manifest.tools();
  return { documents: [...whole, ...(await Promise.all(parts.map(read)))], tools: tools.map(readTool) };
};

const readTool = ({ tool: { name, inputSchema, outputSchema } }: ToolEntry): PublishedDocuments["tools"][number] => ({
  name,
  schemas: [inputSchema, outputSchema].filter((each) => typeof each === "object" && each !== null),
});
