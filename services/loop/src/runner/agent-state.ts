/**
 * The folders that the best known agents keep their own state in: without writing there they do not work. What another start of them would run or obey is
 * kept as it is, also where it is not there yet: then something empty is put in its place, and stays.
 *
 * @NOTE A make that reads further files makes this list untrue; ADR 0311 says so.
 */
import { lstatSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { declaredError } from "../session/declared-error.ts";
import { errorCode, errorMessage } from "../value/error.ts";

/** What is put in the place of something that is not there: a folder, or a file with this text. */
type Placeholder = { readonly folder: true } | { readonly text: string };

interface AgentState {
  /** Relative to the home folder. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly keep: Readonly<Record<string, Placeholder>>;
}

const folder: Placeholder = { folder: true };
const empty: Placeholder = { text: "" };
const noSettings: Placeholder = { text: "{}\n" };

const all = (names: readonly string[], placeholder: Placeholder): Readonly<Record<string, Placeholder>> =>
  Object.fromEntries(names.map((name) => [name, placeholder]));

const states: Readonly<Record<string, AgentState>> = {
  claude: {
    folder: ".claude",
    files: [".claude.json"],
    keep: {
      ...all(["settings.json", "settings.local.json"], noSettings),
      "CLAUDE.md": empty,
      ...all(["hooks", "commands", "agents", "skills", "plugins", "rules", "output-styles"], folder),
    },
  },
  codex: {
    folder: ".codex",
    files: [],
    keep: {
      ...all(["config.toml", "AGENTS.md", "AGENTS.override.md"], empty),
      "hooks.json": noSettings,
      ...all(["prompts", "rules", "skills"], folder),
    },
  },
  "cursor-agent": {
    folder: ".cursor",
    files: [],
    keep: {
      "mcp.json": { text: '{ "mcpServers": {} }\n' },
      "hooks.json": { text: '{ "version": 1, "hooks": {} }\n' },
      ...all(["rules", "commands", "extensions"], folder),
    },
  },
  gemini: {
    folder: ".gemini",
    files: [],
    keep: {
      "settings.json": noSettings,
      ...all(["GEMINI.md", ".env"], empty),
      ...all(["extensions", "commands", "policies"], folder),
    },
  },
};

/** Absolute paths. */
interface StatePlaces {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
}

/** By the name of the agent's program. Makes what is kept and is not there; throws `no_sandbox` where it cannot. */
export const findState = (program: string): StatePlaces => {
  const state = states[program];
  if (state === undefined) return { writable: [], readOnly: [] };
  const top = join(homedir(), state.folder);
  const files = state.files.map((name) => join(homedir(), name)).filter(isThere);
  if (statSync(top, { throwIfNoEntry: false })?.isDirectory() !== true) return { writable: files, readOnly: [] };
  const readOnly = Object.entries(state.keep).map(([name, placeholder]) => putInPlace(join(top, name), placeholder));
  return { writable: [top, ...files], readOnly };
};

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const putInPlace = (path: string, placeholder: Placeholder): string => {
  try {
    if ("folder" in placeholder) mkdirSync(path, { mode: 0o700 });
    else writeFileSync(path, placeholder.text, { flag: "wx", mode: 0o600 });
  } catch (problem) {
    if (errorCode(problem) !== "EEXIST")
      throw declaredError(
        "no_sandbox",
        `${path} is not there, and could be made by the agent: ${errorMessage(problem)}`,
      );
  }
  return path;
};
