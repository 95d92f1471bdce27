/**
 * Secrets that are kept elsewhere: in a file, or behind a command such as a password manager's. They are read for each attempt to connect
 * whose upstream names them, and kept in memory alone. Not here: where they are filled in (`variables.ts`).
 */
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { ConnectionsConfig } from "./config.ts";
import { namedVariables } from "./variables.ts";

type SecretSources = ConnectionsConfig["secrets"];
type VariableValues = Readonly<Record<string, string | undefined>>;

/** A secret that could not be read. The message never has what a file or a command says. */
export class SecretError extends Error {
  override readonly name = "SecretError";
  readonly secret: string;

  constructor(secret: string, why: string) {
    super(why);
    this.secret = secret;
  }
}

/** Milliseconds that a command has; it may ask a person for a finger. */
const commandMs = 30_000;
const longestSecret = 65_536;

export class Secrets {
  readonly #sources: SecretSources;
  readonly #folder: string;
  readonly #known: Record<string, string | undefined>;
  readonly #underWay = new Map<string, Promise<string>>();

  /** @param folder where relative paths start */
  constructor(sources: SecretSources, env: VariableValues, folder: string) {
    this.#sources = sources;
    this.#folder = folder;
    this.#known = { ...env };
    // A variable of the same name is another secret.
    for (const name of Object.keys(sources)) delete this.#known[name];
  }

  /** The environment with the secrets as they were read last. */
  get known(): VariableValues {
    return this.#known;
  }

  /** Reads what the target names. Rejects with a `SecretError`. */
  async read(target: object): Promise<VariableValues> {
    const names = namedVariables(target).filter((name) => Object.hasOwn(this.#sources, name));
    await Promise.all(
      names.map(async (name) => {
        this.#known[name] = await this.#share(name);
      }),
    );
    return this.#known;
  }

  /** An attempt may give up before a command has ended: the next one waits for the same command, so that a person is asked once at a time. */
  #share(name: string): Promise<string> {
    const underWay = this.#underWay.get(name);
    if (underWay !== undefined) return underWay;
    const reading = this.#readOne(name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, reading);
    return reading;
  }

  async #readOne(name: string): Promise<string> {
    const source = this.#sources[name];
    const text =
      source === undefined
        ? ""
        : "file" in source
          ? await this.#fromFile(name, source.file)
          : await this.#fromCommand(name, source);
    const secret = text.replace(/\r?\n$/, "");
    if (secret === "") throw new SecretError(name, "it is empty");
    return secret;
  }

  async #fromFile(name: string, file: string): Promise<string> {
    const path = file.startsWith("~/") ? join(homedir(), file.slice(2)) : resolve(this.#folder, file);
    try {
      const found = await stat(path);
      if (!found.isFile()) throw new SecretError(name, `${path} is not a file`);
      if (found.size > longestSecret) throw new SecretError(name, `${path} has more than ${longestSecret} bytes`);
      return await readFile(path, "utf8");
    } catch (cause) {
      if (cause instanceof SecretError) throw cause;
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
      throw new SecretError(name, `${path} cannot be read: ${code}`);
    }
  }

  async #fromCommand(
    name: string,
    { command, args }: { readonly command: string; readonly args: readonly string[] },
  ): Promise<string> {
    const { runToEnd } = await import("@fairlead/kernel/subprocess");
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const { end } = await runToEnd({
      command,
      args,
      cwd: this.#folder,
      timeLimitMs: commandMs,
      outputBytes: 1,
      onStdout: (chunk) => {
        bytes += chunk.length;
        if (bytes <= longestSecret) chunks.push(chunk);
      },
    });
    if (end.kind === "timeout") throw new SecretError(name, `${command} did not end within ${commandMs} ms`);
    if (end.kind !== "exited") throw new SecretError(name, `${command} could not be started`);
    const { code, signal } = end.exit;
    if (code !== 0)
      throw new SecretError(name, `${command} ended ${signal === undefined ? `with code ${code}` : `by ${signal}`}`);
    if (bytes > longestSecret) throw new SecretError(name, `${command} wrote more than ${longestSecret} bytes`);
    return Buffer.concat(chunks).toString("utf8");
  }
}
