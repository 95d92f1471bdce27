/** The memory transport, in the kernel's own process. */
import type { Kernel } from "@fairlead/kernel";
import type { Wire } from "./wire.ts";

export const openMemory = (kernel: Kernel): Wire => {
  const transport = kernel.connect();
  return {
    name: "memory",
    call: (procedure, input, options) => transport.call(procedure, input, options),
    async subscribe(procedure, input, take) {
      const opened = await transport.subscribe(procedure, input);
      if (!opened.ok) throw new Error(opened.error.message);
      const found: unknown[] = [];
      for await (const { value } of opened.items) {
        found.push(value);
        if (found.length === take) break;
      }
      return found;
    },
    close: async () => {},
  };
};
