/** The two payloads of every bench: a tiny sum, and about 2 KB nested, checked on the way in and out. */
import * as z from "zod";

export const sumInput = z.object({
  a: z.int().describe("First."),
  b: z.int().describe("Second."),
  notes: z
    .array(z.string().describe("A note."))
    .optional()
    .describe("Keeps the input from being flat, so that every peer takes a JSON body."),
});
export const sumOutput = z.object({ sum: z.int().describe("The sum.") });

const item = z.object({
  id: z.int().describe("Number."),
  name: z.string().describe("Name."),
  tags: z.array(z.string().describe("Tag.")).describe("Tags."),
  price: z.number().describe("Price, in euros."),
  nested: z
    .object({ x: z.number().describe("X."), y: z.number().describe("Y."), label: z.string().describe("Label.") })
    .describe("Place."),
});
export const echoSchema = z.object({ title: z.string().describe("Title."), items: z.array(item).describe("Items.") });
export type Echo = z.output<typeof echoSchema>;

export const sumValue = { a: 40, b: 2 };
export const echoValue: Echo = {
  title: "A nested payload of about two kilobytes",
  items: Array.from({ length: 12 }, (_, id) => ({
    id,
    name: `Item number ${id}`,
    tags: ["alpha", "beta", "gamma"],
    price: 19.5 + id,
    nested: { x: id * 1.5, y: id * 2.5, label: `place ${id}` },
  })),
};

export const payloads = { sum: sumValue, echo: echoValue } as const;
export type PayloadName = keyof typeof payloads;

/** How a peer wants a request: path and body. */
export interface Wire {
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server under test. */
export interface Peer {
  readonly port: number;
  readonly wire: (payload: PayloadName) => Wire;
}

/** What a request of MCP's stateless era says of its client. */
export const mcpMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
