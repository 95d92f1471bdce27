import type { CommandModule } from "../program.ts";

const stub: CommandModule = { define: () => undefined, run: async () => 0 };
export default stub;
