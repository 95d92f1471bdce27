/**
 * The reference of services as Markdown, for people and for models: a page a service, and `llms.txt`, which says where the pages are. Pure.
 */
import { type DescribedProcedure, listOperations, type OpenApiDocument } from "./operations.ts";
import { bareText, fieldLines, resolveRef, type SchemaNode } from "./schema/schema-text.ts";

/** A service that a document describes. */
interface DescribedService {
  readonly id: string;
  readonly description: string;
}

/** The services that have a procedure in the document. */
export const listServices = (document: OpenApiDocument): readonly DescribedService[] => {
  const described = new Set(listOperations(document).map(({ service }) => service));
  return (Array.isArray(document.tags) ? document.tags : []).flatMap(
    (tag: { name?: unknown; description?: unknown }) =>
      described.has(String(tag.name)) ? [{ id: String(tag.name), description: String(tag.description ?? "") }] : [],
  );
};

/** The page of a service; `undefined` where the document has none of that id. */
export const serviceMarkdown = (document: OpenApiDocument, id: string): string | undefined => {
  const service = listServices(document).find((each) => each.id === id);
  if (service === undefined) return undefined;
  const operations = listOperations(document).filter((each) => each.service === id);
  const types = new SharedTypes(document);
  const contents = operations.map(({ name, summary }) => `- [${name}](#${anchor(name)}): ${line(summary)}`);
  return lines(
    `# ${id}`,
    "",
    prose(service.description),
    "",
    ...contents,
    ...operations.flatMap((operation) => ["", ...operationLines({ document, types }, operation)]),
    ...typeLines({ document, types }),
    "",
  );
};

/** `llms.txt`: what this is, and the page of each service with what it is for. `pages` leads to them, like `/docs/`. */
export const llmsText = (
  document: OpenApiDocument,
  { name, pages }: { readonly name: string; readonly pages: string },
): string =>
  lines(
    `# ${name}`,
    "",
    "> Services that can be called over HTTP, tRPC, MCP and on the command line. Each page lists the procedures of a service with their input, output, errors and examples.",
    "",
    "## Services",
    "",
    ...listServices(document).map(({ id, description }) => `- [${id}](${pages}${id}.md): ${line(description)}`),
    "",
    "## Documents",
    "",
    `- [OpenAPI](${pages === "/docs/" ? "/openapi.json" : `${pages}openapi.json`}): all procedures over HTTP, as an OpenAPI 3.1 document`,
    "",
  );

/** A page while it is written. */
interface WrittenPage {
  readonly document: OpenApiDocument;
  readonly types: SharedTypes;
}

const operationLines = (page: WrittenPage, operation: DescribedProcedure): readonly string[] => {
  const { name, summary, description, input, output, kind, problems, examples } = operation;
  return [
    `## ${name}`,
    "",
    prose(summary),
    ...(description === "" ? [] : ["", prose(description)]),
    "",
    ...factLines(operation),
    "",
    "### Input",
    "",
    ...schemaLines(page, input, "a file, as `docs/files.md` says"),
    "",
    `### ${kind === "subscription" ? "Each event" : "Output"}`,
    "",
    ...schemaLines(page, output, "a file"),
    ...(problems.length === 0 ? [] : ["", "### Errors", ""]),
    ...problems.map((problem) => `- ${problem.status}: ${line(problem.description)}`),
    ...examples.flatMap(exampleLines),
  ];
};

const factLines = ({
  name,
  isDeprecated,
  hasFile,
  methods,
  path,
  tool,
  kind,
  retry,
  access,
  deadlineMs,
}: DescribedProcedure): readonly string[] => [
  ...(isDeprecated ? ["- Deprecated"] : []),
  `- HTTP: ${methods.join(", ")} \`${path}\``,
  ...(tool === undefined ? [] : [`- MCP tool: \`${tool}\``]),
  ...(hasFile ? [] : [`- Command: \`fairlead call ${name} -d @input.json\``]),
  `- Kind: ${kind}; a repeat is ${retry}; needs \`${access}\``,
  ...(deadlineMs === undefined ? [] : [`- Deadline: ${deadlineMs} ms`]),
];

const schemaLines = (
  { document, types }: WrittenPage,
  schema: SchemaNode | undefined,
  otherwise: string,
): readonly string[] => {
  if (schema === undefined) return [otherwise];
  const found = fieldLines(schema, document, types.name);
  if (found.length === 0) return [code(bareText(schema, document))];
  return found.map(({ path, type, description }) => {
    const said = description === "" ? "" : `: ${line(description)}`;
    return type === "" ? `- **${line(path)}**${said}` : `- ${code(path)} ${code(type)}${said}`;
  });
};

/** The types that the page has named so far, and those that these name in turn. */
const typeLines = (page: WrittenPage): readonly string[] => {
  const printed: string[] = [];
  const seen = new Set<string>();
  for (const name of page.types.named) {
    if (seen.has(name)) continue;
    seen.add(name);
    const schema = { $ref: reference(name) };
    const { description } = resolveRef(schema, page.document);
    printed.push("", `### ${name}`, "");
    if (typeof description === "string") printed.push(prose(description), "");
    printed.push(...schemaLines(page, schema, "a file"));
  }
  return printed.length === 0 ? [] : ["", "## Types", "", "What more than one place of the contract has.", ...printed];
};

const reference = (name: string): string => `#/components/schemas/${name}`;

/** The named types of a document that have fields and are used in several places: a page explains each once. */
class SharedTypes {
  /** In the order in which they were named; grows while the page is written. */
  readonly named = new Set<string>();
  readonly #document: OpenApiDocument;
  readonly #uses = new Map<string, number>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    for (const [found] of JSON.stringify(document).matchAll(/#\/components\/schemas\/[\w.]+/g))
      this.#uses.set(found, (this.#uses.get(found) ?? 0) + 1);
  }

  readonly name = (at: string): string | undefined => {
    const name = at.slice(reference("").length);
    // A dot is in the names of inputs, outputs and problems alone, which are explained in their place.
    if ((this.#uses.get(at) ?? 0) < 2 || name.includes(".")) return undefined;
    if (fieldLines({ $ref: at }, this.#document, (other) => (other === at ? undefined : "")).length < 2)
      return undefined;
    this.named.add(name);
    return name;
  };
}

const exampleLines = ({ summary, input }: DescribedProcedure["examples"][number]): readonly string[] => [
  "",
  "### Example",
  "",
  `${line(summary)}:`,
  "",
  ...fenced("json", JSON.stringify(input)),
];

/** A fence longer than any in the text. */
const fenced = (lang: string, source: string): readonly string[] => {
  const longest = Math.max(2, ...[...source.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${lang}`, source, fence];
};

/** Inline code, with a delimiter that the text does not have. */
const code = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, " ");
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `\`${flat}\`` : `${ticks} ${flat} ${ticks}`;
};

/** Texts of contracts are Markdown already; what a browser would take for HTML is written out. */
const prose = (text: string): string => text.replaceAll("<", "&lt;").trim();
/** In one line, as an item of a list. */
const line = (text: string): string =>
  prose(text)
    .split("\n")
    .map((part) => part.trim())
    .join(" ");

/** As those who render Markdown name headings. */
const anchor = (heading: string): string => heading.toLowerCase().replaceAll(".", "");

const lines = (...all: readonly string[]): string => all.join("\n");
