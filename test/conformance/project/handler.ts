/** The project as a handler, for runtimes with a server of their own. */
import { handler } from "@fairlead/kernel/handler";
import manifest from "./gen/manifest.ts";
import probe from "./services/probe.service.ts";

export const answer = handler(manifest, [probe], { anyone: true, env: {}, config: { log: { level: "error" } } });
