/** A project with the loop service alone, under a clock and ids that are the same in every run. */
import type { ConfigInput } from "@fairlead/kernel";

export default { manifest: "./manifest.ts" } satisfies ConfigInput;
