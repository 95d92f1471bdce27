/**
 * What changed between two releases, for which callers, and which version that asks for. Pure.
 *
 * Not here: words for people (`report`), and the table of changes (`change`).
 */
import { change, type ReleaseChange, worst } from "./change.ts";
import { absentSurfaces, procedureChanges } from "./procedure-changes.ts";
import type { Release, ReleasedService, ReleasedVerb } from "./release.ts";

/** The part of the version that must grow. */
export type VersionBump = "major" | "minor" | "none";

/** The version of a service that its changes ask for. */
export interface VersionAdvice {
  readonly service: string;
  readonly before: string;
  readonly after: string;
  readonly bump: VersionBump;
  /** At least this one. */
  readonly needed: string;
  /** False where `after` is too low. */
  readonly enough: boolean;
}

/** All changes between two releases, and the bump of the version that they need. */
export interface ReleaseComparison {
  readonly changes: readonly ReleaseChange[];
  readonly versions: readonly VersionAdvice[];
}

/** What changed from one release to the next, each change with its kind and, where it breaks a caller, a value that shows it. */
export const compareReleases = (before: Release, after: Release): ReleaseComparison => {
  const changes = [...serviceChanges(before, after), ...verbChanges(before, after)];
  const versions = [...before.services.values()].flatMap((service) => {
    const now = after.services.get(service.id);
    return now === undefined
      ? []
      : [
          versionAdvice(
            service,
            now,
            changes.filter((each) => each.service === service.id),
          ),
        ];
  });
  return { changes, versions };
};

const serviceChanges = (before: Release, after: Release): readonly ReleaseChange[] => {
  const gone = [...before.services.values()].flatMap((service) => {
    const now = after.services.get(service.id);
    const witness = [...service.procedures.keys()][0] ?? service.id;
    if (now === undefined)
      return [
        change(
          "service_removed",
          { service: service.id, where: service.id },
          { message: "the service is gone", witness },
        ),
      ];
    return changesOfService(service, now);
  });
  const added = [...after.services.keys()].filter((id) => !before.services.has(id));
  return [
    ...gone,
    ...added.map((id) => change("service_added", { service: id, where: id }, { message: "the service is new" })),
  ];
};

const changesOfService = (before: ReleasedService, after: ReleasedService): readonly ReleaseChange[] => {
  const service = before.id;
  const kept = [...before.procedures.values()].flatMap((procedure) => {
    const now = after.procedures.get(procedure.name);
    if (now !== undefined) return procedureChanges(procedure, now, after);
    const place = { service, where: procedure.name, without: absentSurfaces(procedure) };
    return [
      change("procedure_removed", place, {
        message: "the procedure is gone",
        witness: procedure.routes[0] ?? procedure.name,
      }),
    ];
  });
  const added = [...after.procedures.values()].filter(({ name }) => !before.procedures.has(name));
  return [
    ...kept,
    ...added.map((procedure) =>
      change(
        "procedure_added",
        { service, where: procedure.name, without: absentSurfaces(procedure) },
        { message: "the procedure is new" },
      ),
    ),
  ];
};

const verbChanges = (before: Release, after: Release): readonly ReleaseChange[] => {
  const gone = [...before.verbs.values()].flatMap((verb) => {
    const now = after.verbs.get(verb.name);
    if (now !== undefined) return changesOfVerb(verb, now);
    return [
      change("verb_removed", verbPlace(verb), { message: "the command is gone", witness: `fairlead ${verb.name}` }),
    ];
  });
  const added = [...after.verbs.values()].filter(({ name }) => !before.verbs.has(name));
  return [...gone, ...added.map((verb) => change("verb_added", verbPlace(verb), { message: "the command is new" }))];
};

const verbPlace = ({ service, name }: ReleasedVerb) => ({ service, where: `fairlead ${name}` });

const changesOfVerb = (before: ReleasedVerb, after: ReleasedVerb): readonly ReleaseChange[] => {
  const place = verbPlace(before);
  const line = ["fairlead", before.name, ...before.arguments.map(({ name }) => `<${name}>`)].join(" ");
  const found: ReleaseChange[] = [];
  const needed = (verb: ReleasedVerb): number => verb.arguments.filter(({ optional }) => !optional).length;
  if (needed(after) > needed(before))
    found.push(change("verb_argument_added", place, { message: "it needs one more argument", witness: line }));
  if (after.arguments.length < before.arguments.length)
    found.push(change("verb_argument_removed", place, { message: "it takes fewer arguments", witness: line }));
  const flags = new Set(after.flags.flatMap(longFlags));
  for (const flag of before.flags.flatMap(longFlags))
    if (!flags.has(flag))
      found.push(
        change("verb_flag_removed", place, { message: `it has no ${flag} any more`, witness: `${line} ${flag}` }),
      );
  const old = new Set(before.flags.flatMap(longFlags));
  for (const flag of flags)
    if (!old.has(flag)) found.push(change("verb_flag_added", place, { message: `it has ${flag}` }));
  for (const name of before.document)
    if (!after.document.includes(name))
      found.push(
        change("verb_document_removed", place, {
          message: `its JSON has no \`${name}\` any more`,
          witness: `${line} --json`,
        }),
      );
  return found;
};

/** `-a, --all <n>` is `-a` and `--all`. */
const longFlags = (flags: string): readonly string[] => flags.match(/(?<![\w-])--?[a-z][\w-]*/gi) ?? [];

const versionAdvice = (
  before: ReleasedService,
  after: ReleasedService,
  changes: readonly ReleaseChange[],
): VersionAdvice => {
  const [major = 0, minor = 0, patch = 0] = parseVersion(before.version);
  const verdict = worst(changes);
  const bump: VersionBump = changes.length === 0 ? "none" : verdict === "breaking" ? "major" : "minor";
  const needed = nextVersion(bump, [major, minor, patch]);
  return {
    service: before.id,
    before: before.version,
    after: after.version,
    bump,
    needed,
    enough: isAtLeast(parseVersion(after.version), parseVersion(needed)),
  };
};

/** Before 1.0.0 a minor version may break, and a patch may add, as npm's ranges take it. */
const nextVersion = (bump: VersionBump, [major, minor, patch]: readonly [number, number, number]): string => {
  if (bump === "none") return `${major}.${minor}.${patch}`;
  if (major === 0) return bump === "major" ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  return bump === "major" ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
};

const parseVersion = (version: string): readonly number[] => (version.split(/[-+]/)[0] ?? "").split(".").map(Number);

const isAtLeast = (version: readonly number[], needed: readonly number[]): boolean => {
  for (const [at, least] of needed.entries()) {
    const is = version[at] ?? 0;
    if (is !== least) return is > least;
  }
  return true;
};
