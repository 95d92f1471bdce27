/**
 * A kernel to talk to: the one that runs at `--url`, the one that owns the project's state folder, or one in this process that ends with the
 * command. All are called with the same client, over different transports.
 */
import { ClientError } from "@fairlead/client";
import type { OwnerRecord } from "@fairlead/kernel/owner";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { withCommandHints } from "./client-error.ts";
import type { KernelConnection } from "./connection.ts";
import { usualAddress } from "./running-address.ts";
import { type CommandNames, mentionsTools } from "./tool-names.ts";

/** Which kernel a command can work with. */
interface KernelChoice {
  /** Only one that runs already, whatever its configuration. */
  readonly running?: boolean;
  /** Services that the work is about: others whose code is broken do not matter. All when left out. */
  readonly needs?: readonly string[];
}

interface ReachedKernel {
  readonly kernel: KernelConnection;
  /** Its address; `undefined` for one in this process. */
  readonly url: string | undefined;
  /** The state folder of the project, where no kernel owns it and the address is only the usual one. */
  readonly unowned?: string;
}

const connect = async (context: Context, { running = false, needs }: KernelChoice): Promise<ReachedKernel> => {
  if (context.url !== undefined) return connectAt(context.url, context);
  if (running) {
    const { findOwner, statePlace } = await import("../owner/place.ts");
    const { folder, unevaluated } = await statePlace(context);
    const { state, record } = await findOwner(folder);
    if (state === "open" && record !== undefined) return attach(record, context);
    if (unevaluated !== undefined) throw unevaluated;
    return { ...(await connectAt(await usualAddress(context), context)), unowned: folder };
  }
  const { settleOwnership } = await import("../owner/ownership.ts");
  const settled = await settleOwnership(context, { command: "call", local: context.local });
  if (settled.kind === "attach") return attach(settled.owner, context);
  const { connectLocal } = await import("./local.ts");
  return { kernel: await connectLocal(context, settled, needs), url: undefined };
};

const connectAt = async (url: string, context: Context): Promise<ReachedKernel> => {
  const { connectRemote } = await import("./remote.ts");
  return { kernel: connectRemote({ url, token: context.token() }, context), url };
};

const attach = async (owner: OwnerRecord, context: Context): Promise<ReachedKernel> => {
  const { connectRemote } = await import("./remote.ts");
  const { socketFetch, socketUrl } = await import("../owner/socket-fetch.ts");
  const { key: token, socket, url: served } = owner;
  const address = { url: socketUrl, token, socket, served: served ?? undefined, fetch: socketFetch(socket) };
  return { kernel: connectRemote(address, context), url: socketUrl };
};

/** Connects to a kernel for as long as the work takes. */
export const withKernel = async <T>(
  context: Context,
  work: (kernel: KernelConnection) => Promise<T>,
  choice: KernelChoice = {},
): Promise<T> => {
  const { kernel, url, unowned } = await connect(context, choice);
  try {
    return await work(kernel);
  } catch (error) {
    if (unowned !== undefined && error instanceof ClientError && error.code === "unavailable")
      throw noKernel(unowned, String(url), error);
    const names = context.json ? noNames : await commandNames(error, kernel);
    throw withCommandHints(error, { ...context, url, names });
  } finally {
    await kernel.close();
  }
};

const noKernel = (folder: string, url: string, cause: ClientError): CommandError =>
  new CommandError(
    { code: "unavailable", exit: 4 },
    {
      message: `no kernel runs for this project: none owns ${folder}, and none answers at ${url}`,
      hint: "start one with `fairlead up` or `fairlead dev`, or say with --url where one runs",
    },
    { cause },
  );

const noNames: CommandNames = { tools: new Map(), verbs: [] };

/** The commands for the kernel's tools, where the error seems to name one and the kernel can say. */
const commandNames = async (error: unknown, kernel: KernelConnection): Promise<CommandNames> => {
  if (!(error instanceof ClientError) || !mentionsTools(`${error.message} ${error.hint ?? ""}`)) return noNames;
  try {
    return { tools: await kernel.tools(), verbs: await kernel.verbs() };
  } catch {
    return noNames;
  }
};
