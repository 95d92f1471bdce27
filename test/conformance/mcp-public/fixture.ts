/**
 * The server that the public conformance suite is run against: the real transport with a fixture's tools behind it.
 *
 * Tools that need nothing else go through dispatch as every Fairlead tool does; the rest is added to each fresh server by the
 * transport's one seam. Sessions, eras and the guard are the product's own.
 */
import { InMemoryServerEventBus } from "@modelcontextprotocol/server";
// @boundaries-ignore the test looks inside the kernel
import type { Mount } from "../../../kernel/src/server/mount.ts";
// @boundaries-ignore the test looks inside the kernel
import type { OpenStreams } from "../../../kernel/src/server/open-streams.ts";
// @boundaries-ignore the test looks inside the kernel
import { fakeKernel } from "../../../kernel/src/testing/mcp-fake.ts";
// @boundaries-ignore the test looks inside the kernel
import { mount } from "../../../kernel/src/transport/mcp/mount.ts";
import { contents, type FixtureTool, fixtureTool, textResult } from "./contents.ts";
import { extraCapabilities, installExtras } from "./extras.ts";
import { products } from "./products.ts";
import { pushes } from "./pushes.ts";
import { rounds, states } from "./rounds.ts";

export const fixtureMount = (streams: OpenStreams): Mount => {
  const fake = fakeKernel(products);
  const bus = new InMemoryServerEventBus();
  const changes: readonly FixtureTool[] = [
    fixtureTool("test_trigger_tool_change", async () => {
      fake.changed();
      return textResult("announced");
    }),
    fixtureTool("test_trigger_prompt_change", async () => {
      bus.publish({ kind: "prompts_list_changed" });
      return textResult("announced");
    }),
  ];
  const extra = [...contents, ...pushes, ...rounds, ...changes];
  const byName = new Map(extra.map((fixture) => [fixture.tool.name, fixture]));
  return mount(fake.surroundings, {
    streams,
    fixture: {
      bus,
      options: { capabilities: extraCapabilities, requestState: { verify: states.verify } },
      install(server, own) {
        server.setRequestHandler("tools/list", (_, context) => ({
          tools: [...own.list(context).tools, ...extra.map(({ tool }) => tool)],
        }));
        server.setRequestHandler("tools/call", (request, context) => {
          const fixture = byName.get(request.params.name);
          return fixture === undefined
            ? own.call(request, context)
            : fixture.run(request.params.arguments ?? {}, context);
        });
        installExtras(server);
      },
    },
  });
};
