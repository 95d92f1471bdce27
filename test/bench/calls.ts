/** What a call costs this process: in memory through us to an upstream, and by the SDK's client to the same one. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Contender, inTurns } from "./turns.ts";
import { call, kill, program, serve, withKernel } from "./upstreams.ts";

type Transport = Parameters<Client["connect"]>[0];

export const benchCalls = async (): Promise<void> => {
  console.log("\n| one call of echo, in turns | p50, ms | CPU here, µs |\n|---|---|---|");
  for (const [era, name] of [
    ["session era", "v1"],
    ["stateless era", "v2"],
  ] as const) {
    const { child, url } = await serve(name);
    await compare(`${era}, HTTP`, { url }, await clientOf(name, new StreamableHTTPClientTransport(new URL(url))));
    await kill(child);
    await compare(`${era}, process`, program(name), await clientOf(name, new StdioClientTransport(program(name))));
  }
};

const compare = (what: string, up: unknown, client: Client): Promise<void> =>
  withKernel({ up }, async (kernel) => {
    const contenders: readonly Contender[] = [
      {
        name: `SDK client, ${what}`,
        once: async () => void (await client.callTool({ name: "echo", arguments: { message: "x" } })),
        cpu,
      },
      { name: `Fairlead in memory, ${what}`, once: () => call(kernel, "up__echo"), cpu },
    ];
    for (const figures of await inTurns(contenders)) {
      console.log(`| ${figures.name} | ${figures.p50.toFixed(2)} | ${figures.cpu.toFixed(0)} |`);
    }
    await client.close();
  });

const clientOf = async (peer: "v1" | "v2", transport: Transport): Promise<Client> => {
  const mode = peer === "v2" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
};

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
