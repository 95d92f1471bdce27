/**
 * The least risk of a plan by the files that it touches, whatever its agent calls it. Where such a file decides about the work, or is run by others,
 * the agent's word is not enough. Pure. Not here: what becomes of such a plan (the machine's table).
 */
import { createGlobMatcher } from "../scope/glob.ts";
import { foldPath } from "../scope/path.ts";
import type { Ticket } from "../ticket/ticket.ts";

interface FileKind {
  /** Why a plan with such a file is one of high risk. */
  readonly why: string;
  /** In lower case. */
  readonly globs: readonly string[];
  readonly except?: string;
}

const requirementKinds =
  "dev,develop,development,test,tests,testing,ci,build,lint,docs,base,common,prod,production,lock";

/** A text about such a file, with its name. */
const proseGlob = "**/*.{md,mdx,rst,adoc,txt}";

const kinds: readonly FileKind[] = [
  {
    why: "it decides what verification runs, or what is installed",
    globs: [
      "**/{package.json,deno.json,deno.jsonc,bunfig.toml,turbo.json,nx.json,.npmrc,.yarnrc,.yarnrc.yml,pnpm-workspace.yaml}",
      "**/{vitest,vite,jest,playwright,cypress,karma}.{config,workspace,setup,shared}.*",
      "**/{tsconfig*.json,jsconfig.json,biome.json,biome.jsonc,eslint.config.*,babel.config.*,.eslintrc*,.babelrc*,.swcrc,.mocharc*}",
      "**/{makefile,gnumakefile,*.mk,justfile,rakefile,cmakelists.txt,taskfile.yml,taskfile.yaml}",
      "**/{pyproject.toml,setup.py,setup.cfg,tox.ini,pytest.ini,noxfile.py,conftest.py,pipfile,requirements.txt,constraints.txt}",
      // By name: requirements are also what a program has to do.
      `**/requirements{-,_,.,/}{${requirementKinds}}.txt`,
      "**/{dev,test,build,docs}{-,_}requirements.txt",
      "**/{cargo.toml,build.rs,go.mod,go.work,pom.xml,*.gradle,*.gradle.kts,gemfile,composer.json,mix.exs}",
      "**/{.cargo,gradle}/**",
      "**/{*.lock,package-lock.json,pnpm-lock.yaml,npm-shrinkwrap.json,bun.lockb,go.sum,packages.lock.json,gradle.lockfile}",
    ],
  },
  {
    why: "it runs where changes are built or released",
    globs: [
      "**/{.github,.gitlab,.circleci,.buildkite,.ci}/**",
      "**/{.gitlab-ci.yml,.travis.yml,.drone.yml,jenkinsfile,bitbucket-pipelines.yml,azure-pipelines*.{yml,yaml}}",
      "**/{dockerfile,containerfile,*.dockerfile,compose.yml,compose.yaml,docker-compose*.{yml,yaml},*.tf}",
    ],
  },
  { why: "it runs where changes are built or released", globs: ["**/{dockerfile,containerfile}.*"], except: proseGlob },
  {
    why: "it runs on the machines of all who work here",
    globs: [
      "**/{.husky,.githooks,.vscode,.devcontainer}/**",
      "**/{.pre-commit-config.yaml,lefthook.yml,lefthook.yaml,.lintstagedrc*,.envrc,.gitattributes,.gitmodules}",
    ],
  },
  {
    why: "agents are led by it",
    globs: [
      "**/{claude,claude.local,agents,gemini}.md",
      "**/{.claude,.cursor,.codex,.gemini}/**",
      "**/{.mcp.json,.cursorrules}",
    ],
  },
  { why: "it changes stored data", globs: ["**/{migrations,migrate}/**", "**/*.sql"] },
  { why: "it says who may change what", globs: ["**/codeowners"] },
];

const matchers = kinds.map(({ why, globs, except = "" }) => ({
  why,
  matches: globs.map(createGlobMatcher),
  isExcepted: createGlobMatcher(except),
}));

/** Why a plan with this file is one of high risk; `undefined` where the agent's word stays. Compared without case. */
export const explainFileRisk = (path: string): string | undefined => {
  const folded = foldPath(path);
  return matchers.find(({ matches, isExcepted }) => matches.some((matches) => matches(folded)) && !isExcepted(folded))
    ?.why;
};

/** Whether a ticket is begun without a plan: documentation, unless it names files that a person has to approve. */
export const needsNoPlan = (
  { category, files, allowedPaths }: Pick<Ticket, "category" | "files" | "allowedPaths">,
  { fileRisk }: { readonly fileRisk: boolean },
): boolean => category === "docs" && !(fileRisk && listFileRisks([...files, ...allowedPaths]).length > 0);

/** Why files make a plan one of high risk, a line a file, for people. */
export const listFileRisks = (files: readonly string[]): readonly string[] =>
  files.flatMap((file) => {
    const why = explainFileRisk(file);
    return why === undefined ? [] : [`${file}: ${why}`];
  });
