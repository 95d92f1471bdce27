/** `fairlead diff`: what changed between two releases of the contracts, for which callers, and which version that asks for. */
import { join, relative, resolve } from "node:path";
import type { GenerateOptions } from "@fairlead/codegen";
import type { ChangeVerdict, ReleaseComparison } from "@fairlead/codegen/diff";
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";
import { lastSnapshot, writeSnapshot } from "../release/snapshot.ts";
import { findDocuments, type ReleasePlaces } from "../release/source.ts";

const diff: CommandModule = {
  define: (command) => {
    command
      .argument(
        "[old]",
        "A git ref, a folder, or the address of a kernel; the last release in contracts/released when left out",
      )
      .argument("[new]", "The same; this project when left out")
      .option("--fail-on <verdict>", "Exit 9 for `breaking` changes, or for a `warning` as well")
      .option("--markdown", "Print Markdown, for a pull request")
      .option("--release <name>", "Compare nothing; keep this project's documents as contracts/released/<name>")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead diff main\n  fairlead diff v1.2.0 . --fail-on breaking\n  fairlead diff http://127.0.0.1:5099 --markdown\n  fairlead diff --release 1.2.0\n",
      );
  },

  run: async (context, { args, flags }) => {
    const failOn = parseFailOn(text(flags.failOn));
    const options = await genOptions(context);
    const { places, released } = projectPlaces(context, options);
    const name = text(flags.release);
    if (name !== undefined) {
      const folder = join(released, parseName(name));
      await requireCurrent(options);
      return release(context, folder, places);
    }
    const [old = lastSnapshot(released), current = places.root] = args;
    if (old === undefined) {
      const hint = "name what to compare with, like `fairlead diff main`, or make one: `fairlead diff --release 1.0.0`";
      throw new UsageError(`${relative(places.cwd, released)} has no release to compare with`, hint);
    }
    if (args.length < 2) await requireCurrent(options);
    const comparison = await compare([old, current], places);
    await print(context, comparison, flags.markdown === true);
    return judge(comparison, failOn);
  },
};

type FailOn = Exclude<ChangeVerdict, "compatible"> | undefined;

const parseFailOn = (value: string | undefined): FailOn => {
  if (value === undefined || value === "breaking" || value === "warning") return value;
  throw new UsageError(`--fail-on takes breaking or warning, not ${JSON.stringify(value)}`);
};

/** A folder's name, and no path. */
const parseName = (name: string): string => {
  if (/^\w[\w.+-]*$/.test(name)) return name;
  throw new UsageError(`--release takes a name like 1.2.0, not ${JSON.stringify(name)}`);
};

const projectPlaces = (
  context: Context,
  { root, config }: GenerateOptions,
): { readonly places: ReleasePlaces; readonly released: string } => {
  const documents = typeof config.out === "string" ? config.out : config.out.schemas;
  const places = { cwd: context.cwd, root, documents, token: context.token(), signal: context.io.signal };
  return { places, released: resolve(root, config.contracts[0] ?? "contracts", "released") };
};

/** Documents are compared: where they are not what the contracts say, every answer would be about an earlier state. */
const requireCurrent = async (options: GenerateOptions): Promise<void> => {
  const { checkDrift } = await import("@fairlead/codegen");
  const { ok, drift } = await checkDrift(options);
  if (ok && drift.length === 0) return;
  const message = ok
    ? `${drift[0]?.path} is not what the contracts say, so there is nothing to compare`
    : "the contracts have errors, so there is nothing to compare";
  throw new CommandError({ code: "drift", exit: 9 }, { message, hint: "run `fairlead gen` first" });
};

const release = async (context: Context, folder: string, { root, documents, cwd }: ReleasePlaces): Promise<number> => {
  const { isReleaseFile } = await import("@fairlead/codegen/diff");
  const files = writeSnapshot(resolve(root, documents), folder, isReleaseFile);
  context.print(
    { released: folder, files },
    () => `${relative(cwd, folder)}: ${files.length} documents, never to be changed; commit them`,
  );
  return 0;
};

const compare = async (names: readonly [string, string], places: ReleasePlaces): Promise<ReleaseComparison> => {
  const { compareReleases, readRelease } = await import("@fairlead/codegen/diff");
  const [before, after] = await Promise.all(
    names.map(async (name) => {
      const read = readRelease(await findDocuments(name, places));
      if ("problem" in read)
        throw new UsageError(`${name} is not a release: ${read.problem}`, "run `fairlead gen` there");
      return read;
    }),
  );
  if (before === undefined || after === undefined) throw new Error("two names give two releases");
  return compareReleases(before, after);
};

const print = async (context: Context, comparison: ReleaseComparison, markdown: boolean): Promise<void> => {
  const { comparisonMarkdown, comparisonText, surfaceVerdicts, worst } = await import("@fairlead/codegen/diff");
  const { changes, versions } = comparison;
  context.print({ verdict: worst(changes), surfaces: surfaceVerdicts(changes), changes, versions }, () =>
    markdown ? comparisonMarkdown(comparison) : comparisonText(comparison),
  );
};

const judge = ({ changes }: ReleaseComparison, failOn: FailOn): number => {
  const failing = changes.filter(
    ({ verdict }) => verdict === "breaking" || (verdict === "warning" && failOn === "warning"),
  );
  if (failOn === undefined || failing.length === 0) return 0;
  const message = `${failing.length === 1 ? "a change is" : `${failing.length} changes are`} ${failOn === "breaking" ? "breaking" : "breaking or a warning"}`;
  throw new CommandError(
    { code: "incompatible", exit: 9 },
    { message, hint: "keep the old beside the new, or raise the version and release it" },
  );
};

export default diff;
