/** The ledger with its registers and lists in saved sessions: what a cluster keeps of them when their node is gone. */
import { defineService, type Host, StaleSession } from "@fairlead/kernel/service";
import { deadly, ledger } from "./ledger.ts";

interface Page {
  readonly register: string;
  readonly list: readonly string[];
}

const empty: Page = { register: "", list: [] };

const readPage = async (host: Host, key: string) => {
  const state = await host.sessions.load(key);
  return { state, page: (state?.value as Page | undefined) ?? empty };
};

/** Makes another page of the last one, again where another call was faster. */
const change = async (host: Host, key: string, make: (page: Page) => Page): Promise<Page> => {
  for (;;) {
    const { state, page } = await readPage(host, key);
    try {
      const next = make(page);
      await host.sessions.save(key, next, state);
      return next;
    } catch (cause) {
      if (!(cause instanceof StaleSession) || cause.because === "owner") throw cause;
    }
  }
};

export default defineService(ledger, (host) => ({
  handlers: {
    write: async ({ key, value }) => {
      await change(host, key, (page) => ({ ...page, register: value }));
      return null;
    },
    read: async ({ key }) => (await readPage(host, key)).page.register,
    append: async ({ key, value }) => {
      let isFirst = true;
      const { list } = await change(host, key, (page) => {
        isFirst = !page.list.includes(value);
        return { ...page, list: [...page.list, value] };
      });
      // It has happened, and is not answered.
      if (isFirst && value.endsWith(deadly)) process.kill(process.pid, "SIGKILL");
      return list.length;
    },
    list: async ({ key }) => [...(await readPage(host, key)).page.list],
  },
}));
