/**
 * The `mcpServers` block of a `.mcp.json`, as other programs write it: its readable entries become upstreams, and the rest is reported.
 */
import { decoder, FairleadError } from "@fairlead/contracts";
import * as z from "zod";
import { parseCommentedJson } from "../json/commented-json.ts";
import { addressSchema, nameSchema, stringRecord, type UpstreamSettings, upstreamSchema } from "./config.ts";

/** An entry of `mcpServers` as other programs write it. What we do not know is let be. */
const foreignHttp = z.looseObject({
  url: addressSchema,
  headers: stringRecord.optional(),
  // As `fairlead conn add --save` writes it; another program may mean something else by it.
  era: z.enum(["auto", "legacy", "modern"]).optional().catch(undefined),
  disabled: z.boolean().optional(),
});
const foreignStdio = z.looseObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: stringRecord.optional(),
  cwd: z.string().optional(),
  disabled: z.boolean().optional(),
});

type ForeignEntry = z.output<typeof foreignHttp> | z.output<typeof foreignStdio>;

/** Decodes an entry at its place in the file, so that an issue names its path. */
const decodeInPlace = <S extends z.ZodType<ForeignEntry>>(schema: S) =>
  decoder<{ readonly mcpServers: Readonly<Record<string, ForeignEntry>> }>(
    z.object({ mcpServers: z.record(nameSchema, schema) }),
  );
const decodeHttp = decodeInPlace(foreignHttp);
const decodeStdio = decodeInPlace(foreignStdio);

const decodeEntry = (name: string, entry: unknown): ReturnType<typeof decodeHttp> => {
  const isProgram = typeof entry === "object" && entry !== null && "command" in entry;
  return (isProgram ? decodeStdio : decodeHttp)({ mcpServers: { [name]: entry } });
};

const toUpstream = (entry: ForeignEntry): UpstreamSettings => {
  const { url, headers, era, command, args, env, cwd, disabled } = entry;
  const own = "command" in entry ? { command, args, env, cwd } : { url, headers, era };
  return upstreamSchema.parse({ ...own, start: disabled !== true });
};

const decodeMcpJson = decoder<{ readonly mcpServers: Readonly<Record<string, unknown>> }>(
  z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) }),
);

interface McpJson {
  readonly upstreams: Readonly<Record<string, UpstreamSettings>>;
  /** What of it is none, place by place; the others are upstreams all the same. */
  readonly wrong: FairleadError | undefined;
}

/** The upstreams of a `.mcp.json`. Throws a `FairleadError` where it has none at all. */
export const readMcpJson = (text: string, path: string): McpJson => {
  const refusal = (message: string, issues?: FairleadError["issues"]): FairleadError =>
    new FairleadError({
      code: "invalid_argument",
      message,
      hint: "correct it",
      ...(issues !== undefined && { issues }),
    });
  let document: unknown;
  try {
    document = parseCommentedJson(text);
  } catch {
    throw refusal(`${path} is not JSON`);
  }
  const decoded = decodeMcpJson(document);
  if (!decoded.ok) throw refusal(`${path} names no upstreams`, decoded.issues);
  const entries = Object.entries(decoded.value.mcpServers).map(([name, entry]) => ({
    name,
    read: decodeEntry(name, entry),
  }));
  const odd = entries.flatMap(({ name, read }) => (read.ok ? [] : [{ name, issues: read.issues }]));
  const found = entries.flatMap(({ read }) => (read.ok ? Object.entries(read.value.mcpServers) : []));
  const words = `${path} says of ${odd.map(({ name }) => JSON.stringify(name)).join(", ")} what cannot be read`;
  return {
    upstreams: Object.fromEntries(found.map(([name, upstream]) => [name, toUpstream(upstream)])),
    wrong:
      odd.length === 0
        ? undefined
        : refusal(
            words,
            odd.flatMap(({ issues }) => issues),
          ),
  };
};
