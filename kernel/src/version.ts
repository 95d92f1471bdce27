/** The version of the kernel, as its package says. */
import manifest from "../package.json" with { type: "json" };

export const { version } = manifest;
