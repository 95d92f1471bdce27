/**
 * Images without a registry of images: a base is made by mmdebstrap from Debian's packages and this machine's Node, and buildah builds on it with chroot isolation and the vfs driver, which needs
 * neither a daemon nor namespaces of users. An image runs as in a container that is read-only: its files in a mount namespace of its own, where nothing but its volumes can be written.
 *
 * Not here: what is built and asked (`image.soak.ts`).
 */
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** What an image says of itself, as buildah shows it. */
export interface ImageSettings {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export class ImageStore implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<ImageStore> {
    return new ImageStore(await realpath(await mkdtemp(join(tmpdir(), "fairlead-images-"))));
  }

  /** Resolves with what buildah printed. Rejects with all of it. */
  async buildah(...words: readonly string[]): Promise<string> {
    const store = ["--root", join(this.folder, "store"), "--runroot", join(this.folder, "run")];
    const { stdout } = await execute("buildah", [...store, "--storage-driver", "vfs", ...words], {
      maxBuffer: 64 * 1_048_576,
    });
    return stdout.trim();
  }

  /** Debian, this Node with the npm of this machine, and the user `node`: what `node:24-slim` has. `registry` is what npm asks in it. */
  async makeBase(registry: string): Promise<void> {
    const context = join(this.folder, "base");
    const files = join(context, "files");
    await mkdir(join(files, "usr/local/bin"), { recursive: true });
    await mkdir(join(files, "usr/local/lib/node_modules"), { recursive: true });
    await mkdir(join(files, "root"), { recursive: true });
    await mkdir(join(files, "etc"), { recursive: true });
    await cp(process.execPath, join(files, "usr/local/bin/node"), { dereference: true });
    const { stdout } = await execute("sh", ["-c", 'realpath "$(command -v npm)"']);
    const program = dirname(dirname(stdout.trim()));
    await cp(program, join(files, "usr/local/lib/node_modules/npm"), { recursive: true });
    for (const name of ["npm", "npx"])
      await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(files, "usr/local/bin", name));
    await writeFile(join(files, "root/.npmrc"), `registry=${registry}\nfund=false\naudit=false\n`);
    const authorities = process.env.NODE_EXTRA_CA_CERTS;
    if (authorities !== undefined) await cp(authorities, join(files, "etc/extra-authorities.pem"));
    await writeFile(
      join(context, "Containerfile"),
      [
        "FROM scratch",
        "ADD debian.tar /",
        "COPY files /",
        "RUN useradd --uid 1000 --create-home node",
        ...(authorities === undefined ? [] : ["ENV NODE_EXTRA_CA_CERTS=/etc/extra-authorities.pem"]),
        "",
      ].join("\n"),
    );
    const debian = ["--variant=minbase", "--include=ca-certificates", "bookworm", join(context, "debian.tar")];
    await execute("mmdebstrap", debian, { maxBuffer: 16 * 1_048_576 });
    await this.buildah("bud", "--isolation", "chroot", "--tag", "base", "--file", "Containerfile", context);
  }

  async build(name: string, context: string): Promise<ImageSettings> {
    const how = ["--isolation", "chroot", "--format", "docker", "--build-arg", "BASE=localhost/base"];
    await this.buildah("bud", ...how, "--tag", name, context);
    const { Docker } = JSON.parse(await this.buildah("inspect", "--type", "image", `localhost/${name}`));
    return Docker.config;
  }

  /** The files of an image, for a container that is to run. */
  async mount(name: string): Promise<string> {
    return this.buildah("mount", await this.buildah("from", "--pull-never", `localhost/${name}`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.buildah("rm", "--all").catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Everything is read-only but the volumes, which are the same in the next container of these files. */
const enter = `set -e
root=$1 user=$2 at=$3
shift 3
mount --make-rprivate /
for volume in $VOLUMES; do mkdir -p "$KEPT$volume"; [ -e "$KEPT$volume.made" ] || { cp -a "$root$volume/." "$KEPT$volume"; chown --reference="$root$volume" "$KEPT$volume"; touch "$KEPT$volume.made"; }; done
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
for volume in $VOLUMES; do mount --bind "$KEPT$volume" "$root$volume"; done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot --userspec="$user" "$root" env -i $SETTINGS sh -c 'cd "$0" && exec "$@"' "$at" "$@"
`;

interface ContainerOptions {
  readonly root: string;
  readonly settings: ImageSettings;
  /** Where its volumes are kept. */
  readonly kept: string;
  readonly env: Readonly<Record<string, string>>;
}

export type Container = ChildProcessByStdio<null, Readable, Readable>;

/** Runs words in a container: the first process of its own namespace of processes, as the user of the image. */
export const runContained = ({ root, settings, kept, env }: ContainerOptions, words: readonly string[]): Container => {
  const named = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const own = ["--mount", "--pid", "--fork", "--kill-child"];
  return spawn(
    "unshare",
    [...own, "sh", "-c", enter, "enter", root, settings.User, settings.WorkingDir || "/", ...words],
    {
      env: {
        PATH: process.env.PATH,
        KEPT: kept,
        VOLUMES: Object.keys(settings.Volumes).join(" "),
        SETTINGS: [`PATH=/usr/local/bin:/usr/bin:/bin`, ...settings.Env, ...named].join(" "),
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
};

/** Stops the first process of a container as an orchestrator does. */
export const terminate = async ({ pid }: Container): Promise<void> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  process.kill(Number(children.trim()), "SIGTERM");
};
