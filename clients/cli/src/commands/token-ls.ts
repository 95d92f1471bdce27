/**
 * `fairlead token ls`: who has a token, what it may do and when it ends; below it the ones that it replaced, while they work.
 * Tokens themselves are not known, only their hashes.
 */
import type { CommandModule } from "../command/command.ts";
import { table } from "../terminal/table.ts";
import { openTokenStore } from "../token/token-store.ts";

const tokenLs: CommandModule = {
  kernel: "none",
  define: (command) => {
    command.addHelpText("after", "\nExamples:\n  fairlead token ls\n");
  },

  run: async (context) => {
    const { path, tokens } = await openTokenStore(context);
    const callers = Map.groupBy(tokens.toReversed(), ({ name }) => name);
    const shown = [...callers.values()].toReversed().flatMap((own) =>
      own.map(({ name, access, services, expires, sha256 }, age) => ({
        name,
        state: age === 0 ? "current" : "replaced",
        access,
        services: services ?? null,
        expires: expires ?? null,
        sha256: sha256.slice(0, 12),
      })),
    );
    context.print({ path, tokens: shown }, () =>
      shown.length === 0
        ? `no tokens in ${path}`
        : table([
            ["NAME", "STATE", "MAY", "SERVICES", "ENDS"],
            ...shown.map(({ name, state, access, services, expires }) => [
              name,
              state,
              access.join(","),
              services?.join(",") ?? "all",
              expires ?? "never",
            ]),
          ]),
    );
    return 0;
  },
};

export default tokenLs;
