/** `fairlead token ls`: who has a token, what it may do and until when. Tokens themselves are not known, only their hashes. */
import type { CommandModule } from "../command.ts";
import { table } from "../table.ts";
import { openTokenStore } from "../token-store.ts";

const tokenLs: CommandModule = {
  define: (command) => {
    command.addHelpText("after", "\nExamples:\n  fairlead token ls\n");
  },

  run: async (context) => {
    const { path, tokens } = await openTokenStore(context);
    const shown = tokens.map(({ name, access, services, expires, sha256 }) => ({
      name,
      access,
      services: services ?? null,
      expires: expires ?? null,
      sha256: sha256.slice(0, 12),
    }));
    context.print({ path, tokens: shown }, () =>
      shown.length === 0
        ? `no tokens in ${path}`
        : table([
            ["NAME", "MAY", "SERVICES", "UNTIL"],
            ...shown.map(({ name, access, services, expires }) => [
              name,
              access.join(","),
              services?.join(",") ?? "all",
              expires ?? "for good",
            ]),
          ]),
    );
    return 0;
  },
};

export default tokenLs;
