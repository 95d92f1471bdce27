/**
 * What a verification command reaches of the network: a namespace of its own has no way out, with or without its loopback. Once it is
 * there the command gets its own user again, so that no test finds itself root. Where the system refuses, the command is not run.
 */
import { runToEnd } from "@fairlead/kernel/subprocess";

export type QaNetwork = "host" | "loopback" | "none";

type CommandWords = readonly [file: string, ...args: string[]];

/** The command as it has to be started, or why it cannot be. */
type WrappedCommand = { readonly ok: true; readonly argv: CommandWords } | { readonly ok: false; readonly why: string };

const namespace = ["unshare", "--user", "--map-root-user", "--net", "--"] as const;

/** `ip` is not always in a user's PATH. */
const script = 'PATH="$PATH:/usr/sbin:/sbin" && ip link set lo up && exec "$@"';

const wrap = (network: "loopback" | "none", argv: CommandWords): CommandWords => {
  const user = [`--map-user=${process.getuid?.() ?? 0}`, `--map-group=${process.getgid?.() ?? 0}`];
  const asUser = ["unshare", "--user", ...user, "--", ...argv];
  return network === "none" ? [...namespace, ...asUser] : [...namespace, "sh", "-c", script, "sh", ...asUser];
};

const probes = new Map<QaNetwork, Promise<string | undefined>>();

/** `undefined` where it works, which is asked once, or else what the system said. */
export const probeNetwork = (network: QaNetwork): Promise<string | undefined> => {
  if (network === "host") return Promise.resolve(undefined);
  const known = probes.get(network) ?? tryNetwork(network);
  probes.set(network, known);
  // A system may be busy for a moment, and may be set up while this process runs.
  return known.then((problem) => {
    if (problem !== undefined) probes.delete(network);
    return problem;
  });
};

const tryNetwork = async (network: "loopback" | "none"): Promise<string | undefined> => {
  const [command, ...args] = wrap(network, ["true"]);
  const { end, output } = await runToEnd({ command, args, cwd: "/", timeLimitMs: 10_000, outputBytes: 1_024 });
  if (end.kind === "exited" && end.exit.code === 0) return undefined;
  const said = output.trim().split("\n")[0] ?? "";
  return `the server's configuration gives verification commands the network ${JSON.stringify(network)} (qaNetwork), and this system has no network namespace to give: ${said || end.kind}`;
};

export const wrapCommand = async (network: QaNetwork, argv: CommandWords): Promise<WrappedCommand> => {
  if (network === "host") return { ok: true, argv };
  const why = await probeNetwork(network);
  return why === undefined ? { ok: true, argv: wrap(network, argv) } : { ok: false, why };
};
