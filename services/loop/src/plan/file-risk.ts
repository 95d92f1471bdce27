/**
 * The least risk of a plan by the files that it touches, whatever its agent calls it. Where such a file decides about the work, or is run by others,
 * the agent's word is not enough. Pure. Not here: what becomes of such a plan (the machine's table).
 */
import { createGlobMatcher } from "../scope/glob.ts";
import { foldPath } from "../scope/path.ts";
import type { Ticket } from "../ticket/ticket.ts";

/** Globs in lower case, and why a plan with such a file is one of high risk. */
const kinds: readonly { readonly why: string; readonly globs: readonly string[] }[] = [
  {
    why: "it decides what verification runs, or what is installed",
    globs: [
      "**/{package.json,deno.json,deno.jsonc,bunfig.toml,turbo.json,nx.json,.npmrc,.yarnrc,.yarnrc.yml,pnpm-workspace.yaml}",
      "**/{vitest,vite,jest,playwright,cypress,karma}.{config,workspace}.*",
      "**/.mocharc*",
      "**/{makefile,gnumakefile,*.mk,justfile,rakefile,cmakelists.txt,taskfile.yml,taskfile.yaml}",
      "**/{pyproject.toml,setup.py,setup.cfg,tox.ini,pytest.ini,noxfile.py,conftest.py,pipfile,requirements*.txt}",
      "**/{cargo.toml,build.rs,go.mod,go.work,pom.xml,*.gradle,*.gradle.kts,gemfile,composer.json,mix.exs}",
      "**/{.cargo,gradle}/**",
      "**/{*.lock,*-lock.*,go.sum,npm-shrinkwrap.json}",
    ],
  },
  {
    why: "it runs where changes are built or released",
    globs: [
      "**/{.github,.gitlab,.circleci,.buildkite,.ci}/**",
      "**/{.gitlab-ci.yml,.travis.yml,.drone.yml,jenkinsfile,bitbucket-pipelines.yml,azure-pipelines*}",
      "**/{dockerfile*,*.dockerfile,docker-compose*,compose.yml,compose.yaml,*.tf}",
    ],
  },
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

const matchers = kinds.map(({ why, globs }) => ({ why, matches: globs.map(createGlobMatcher) }));

/** Why a plan with this file is one of high risk; `undefined` where the agent's word stays. Compared without case. */
export const explainFileRisk = (path: string): string | undefined => {
  const folded = foldPath(path);
  return matchers.find(({ matches }) => matches.some((matches) => matches(folded)))?.why;
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
