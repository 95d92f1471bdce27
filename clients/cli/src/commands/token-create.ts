/** `fairlead token create`: makes a bearer token for a caller. From then on, the kernel refuses callers without one. */
import type { Token } from "@fairlead/kernel";
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { parseDuration } from "../command/duration.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { nearest, suggestHint } from "../text/suggest.ts";
import { createSecret, openTokenStore, secretNotice, timeAfter } from "../token/token-store.ts";

const tokenCreate: CommandModule = {
  kernel: "none",
  define: (command) => {
    command
      .argument("<name>", "The caller, for logs and rate limits")
      .option("--access <list>", "What it may do: read, call, admin (default: read,call)")
      .option("--services <list>", "Services it may use (default: all)")
      .option("--expires <duration>", "When it stops working, like 30d (default: never)")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead token create ci --access read --expires 30d\n  fairlead token create desk > ~/.fairlead-token\n",
      );
  },

  run: async (context, { args: [name = ""], flags }) => {
    const access = parseList("--access", text(flags.access))?.map(parseAccess);
    const services = parseList("--services", text(flags.services));
    const life = text(flags.expires);
    const expires = life === undefined ? undefined : timeAfter(parseDuration("--expires", life));
    const store = await openTokenStore(context);
    if (services !== undefined) refuseUnknown(services, await store.services());
    const { secret, sha256 } = await createSecret();
    const { tokenSchema } = await import("@fairlead/kernel");
    const made = tokenSchema.safeParse({ name, sha256, access, services, expires });
    if (!made.success) {
      throw new UsageError(`the token is not valid: ${made.error.issues.map(({ message }) => message).join(", ")}`);
    }
    store.change({
      change: "create",
      name,
      token: sha256,
      apply: (tokens) => {
        if (tokens.some((token) => token.name === name)) throw nameTaken(name);
        return [...tokens, made.data];
      },
    });
    context.print({ name, token: secret, access: made.data.access, expires: expires ?? null }, () => secret);
    context.say(secretNotice);
    if (store.count === 0) context.say(firstTokenNotice);
    const missing = missingAccess(made.data);
    if (missing !== undefined) context.say(missing);
    return 0;
  },
};

const nameTaken = (name: string): CommandError =>
  new CommandError(
    { code: "already_exists", exit: 8 },
    {
      message: `there is already a token named ${name}`,
      hint: `replace it with \`fairlead token rotate ${name}\``,
    },
  );

/** Until now the kernel took every caller on this machine. */
const firstTokenNotice =
  "it is the first token: from now on a running kernel refuses every caller without one, those on this machine too";

/** What the rights of a token are short of; each of the three is for itself. */
const missingAccess = ({ access }: Token): string | undefined => {
  if (access.includes("read")) return undefined;
  const may = access.includes("call")
    ? "may call procedures that change something, but not read"
    : "may manage the kernel, but neither read nor call";
  const all = ["read", ...access].join(",");
  return `this token ${may}, so it can list and look up nothing; for most uses make one with --access ${all}`;
};

const parseList = (flag: string, given: string | undefined): string[] | undefined => {
  const words = given?.split(",").map((word) => word.trim());
  if (words?.includes("") === true) throw new UsageError(`${flag} takes words with commas between them`, "like a,b");
  return words;
};

const refuseUnknown = (services: readonly string[], known: readonly string[]): void => {
  const unknown = services.find((id) => !known.includes(id));
  if (unknown === undefined) return;
  const hint = suggestHint([nearest(unknown, known)], `there are ${known.join(", ")}`);
  throw new UsageError(`--services names ${JSON.stringify(unknown)}, which is not a service`, hint);
};

const parseAccess = (word: string): Token["access"][number] => {
  if (word === "read" || word === "call" || word === "admin") return word;
  throw new UsageError(`--access takes read, call and admin, not ${JSON.stringify(word)}`, "like read,call");
};

export default tokenCreate;
