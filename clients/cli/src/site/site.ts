/**
 * The reference of services as a folder of files that any web server serves: the viewer with its document, the same as Markdown, and `llms.txt`.
 * Pure; the files of the viewer are those of the console's package, and are only named here.
 *
 * Not here: reading and writing (`commands/docs-build.ts`), how a reference is printed (the kernel's).
 */
import {
  listServices,
  llmsText,
  type OpenApiDocument,
  type SampleOptions,
  serviceMarkdown,
  withCodeSamples,
} from "@fairlead/kernel/reference";

/** A folder to be written. */
export interface Site {
  /** Text by the path in the folder. */
  readonly texts: ReadonlyMap<string, string>;
  /** Paths below the folder of the console's files, each to be copied to the same path. */
  readonly assets: readonly string[];
}

/** `page` is the viewer as it was built. */
export const makeSite = (page: string, document: OpenApiDocument, options: SampleOptions): Site => {
  const assets = [...page.matchAll(/"\/console\/(assets\/[\w.-]+)"/g)].map(([, path = ""]) => path);
  const services = listServices(document);
  return {
    texts: new Map([
      ["index.html", standalonePage(page)],
      ["openapi.json", JSON.stringify(withCodeSamples(document, options))],
      ["llms.txt", llmsText(document, { name: titleIn(document), pages: "" })],
      ...services.map(({ id }) => [`${id}.md`, serviceMarkdown(document, id) ?? ""] as const),
    ]),
    assets: [...new Set(assets), "licences.txt"],
  };
};

/**
 * The viewer without a kernel: files beside it, and a policy of its own, since it is not known what headers a web server sends.
 */
const standalonePage = (page: string): string =>
  page
    .split("\n")
    .filter((line) => !/"(?:sc|csp)-nonce"/.test(line))
    .join("\n")
    .replaceAll("/console/", "./")
    .replace('data-document="/docs/openapi.json"', 'data-document="openapi.json"')
    .replaceAll(' nonce="__CSP_NONCE__"', "")
    .replace('<meta charset="utf-8" />', `<meta charset="utf-8" />\n    ${policy}`);

const policy =
  "<meta http-equiv=\"content-security-policy\" content=\"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'\" />";

const titleIn = ({ info }: OpenApiDocument): string =>
  typeof info === "object" && info !== null ? String(Reflect.get(info, "title")) : "Reference";
