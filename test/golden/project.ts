/** Projects in temporary folders whose packages are the repository's. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { generate } from "@fairlead/codegen";
import { genConfigSchema } from "@fairlead/contracts";

const repository = resolve(import.meta.dirname, "../..");

export class TemporaryProject implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-golden-")));

  constructor() {
    symlinkSync(join(repository, "node_modules"), join(this.root, "node_modules"));
    this.write("package.json", '{ "name": "golden", "type": "module" }');
  }

  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Copies a file or folder of this one's neighbours into the project. */
  copy(from: string, to: string): void {
    cpSync(join(import.meta.dirname, from), join(this.root, to), { recursive: true });
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  generate(config: object = {}): ReturnType<typeof generate> {
    return generate({ root: this.root, config: genConfigSchema.parse({ loadTimeoutMs: 60_000, ...config }) });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
