/**
 * The reference of the kernel's services: `/docs/openapi.json`, the document with each call in every form, as the viewer at `/docs` reads it;
 * `/docs/<service>.md`, the same as Markdown; and `/llms.txt`, which says where these are. All of them of what the caller may see.
 *
 * Not here: how a reference is printed (`reference/`), which is loaded at the first request, and the viewer itself (the console's package).
 */
import type { GuardedRequest } from "../../server/mount.ts";
import type { Services } from "./visible.ts";

/** The OpenAPI document as JSON text, as someone with these services may see it. */
type ReadDocument = (services: Services) => Promise<string | undefined>;

/** A document of the reference, with its type. */
interface ReferenceText {
  readonly type: string;
  readonly text: string;
}

type ReferenceAnswer = Promise<ReferenceText | undefined>;

/** The document at a path below `/docs`. */
export const readReference = (read: ReadDocument, path: string, request: GuardedRequest): ReferenceAnswer => {
  if (path === "/openapi.json") return readSamples(read, request);
  const [, service] = /^\/([A-Za-z0-9]{1,64})\.md$/.exec(path) ?? [];
  return service === undefined ? Promise.resolve(undefined) : readPage(read, service, request);
};

const readSamples = (read: ReadDocument, request: GuardedRequest): ReferenceAnswer => {
  const options = { url: ownAddress(request), needsToken: request.incoming.headers.authorization !== undefined };
  return Promise.all([read(request.principal.services), import("../../reference/code-samples.ts")]).then(
    ([text, { withCodeSamples }]) =>
      text === undefined
        ? undefined
        : { type: "application/json", text: JSON.stringify(withCodeSamples(JSON.parse(text), options)) },
  );
};

const readPage = (read: ReadDocument, service: string, { principal }: GuardedRequest): ReferenceAnswer =>
  Promise.all([read(principal.services), import("../../reference/markdown.ts")]).then(([text, { serviceMarkdown }]) => {
    const page = text === undefined ? undefined : serviceMarkdown(JSON.parse(text), service);
    return page === undefined ? undefined : { type: "text/markdown; charset=utf-8", text: page };
  });

/** `/llms.txt`; `name` is the server's. */
export const readLlms = (read: ReadDocument, name: string, { principal }: GuardedRequest): ReferenceAnswer =>
  Promise.all([read(principal.services), import("../../reference/markdown.ts")]).then(([text, { llmsText }]) =>
    text === undefined
      ? undefined
      : { type: "text/plain; charset=utf-8", text: llmsText(JSON.parse(text), { name, pages: "/docs/" }) },
  );

/** As the caller reached it: the guard has let no other Host pass than the kernel's own. */
const ownAddress = ({ incoming: { headers, socket } }: GuardedRequest): string =>
  `${"encrypted" in socket ? "https" : "http"}://${headers.host}`;
