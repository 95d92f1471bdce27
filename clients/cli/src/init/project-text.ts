/** The files of a new project other than its contract and its service, by path. Texts only. */
import type { PackageManager } from "./package-manager.ts";

interface ProjectVersions {
  /** Of Fairlead's own packages. */
  readonly fairlead: string;
  /** Of what the generated code and the contracts import. */
  readonly zod: string;
  readonly trpc: string;
}

/** Versions of the tools that a new project gets: those that this repository is checked with. */
export const toolVersions = {
  "@types/node": "24.19.2",
  // Of `fairlead build`.
  rolldown: "1.2.19",
  typescript: "7.0.2",
  vitest: "5.1.1",
} as const;

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

interface ProjectOptions {
  readonly name: string;
  readonly versions: ProjectVersions;
  readonly manager: PackageManager;
}

export const projectTexts = ({ name, versions, manager }: ProjectOptions): Readonly<Record<string, string>> => ({
  "package.json": json({
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { node: ">=24" },
    scripts: {
      dev: "fairlead dev",
      gen: "fairlead gen",
      test: "fairlead gen --check && tsc && vitest run",
      build: "fairlead build",
      start: manager.start,
    },
    dependencies: {
      "@fairlead/client": versions.fairlead,
      "@fairlead/contracts": versions.fairlead,
      "@fairlead/kernel": versions.fairlead,
      "@trpc/server": versions.trpc,
      fairlead: versions.fairlead,
      zod: versions.zod,
    },
    devDependencies: { ...toolVersions, ...manager.tools },
  }),
  "tsconfig.json": json({
    compilerOptions: {
      target: "esnext",
      module: "nodenext",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
    },
    include: ["contracts", "services", "gen", "fairlead.config.ts"],
  }),
  ".gitignore": `node_modules/\ndist/\n${manager.ignored}`,
  ".dockerignore": "node_modules\ndist\n.git\n",
  ".mcp.json": json({ mcpServers: { [name]: { command: "npx", args: ["fairlead", "mcp", "serve", "--stdio"] } } }),
  Dockerfile: `# An address that others reach needs a token: docker run --init -e FAIRLEAD_TOKEN=<at least 16 characters> -p 5099:5099 ${name}
ARG BASE=node:24-slim
FROM \${BASE} AS build
WORKDIR /app
COPY package*.json ./
RUN npm install
COPY . .
RUN npx fairlead gen && npx fairlead build

FROM \${BASE}
WORKDIR /app
COPY --from=build /app/dist dist
RUN mkdir /state && chown node /state
ENV FAIRLEAD_HOST=0.0.0.0 FAIRLEAD_STATE_DIR=/state
VOLUME /state
USER node
EXPOSE 5099
# Alive is who answers: 401 is the answer to a probe without a token.
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.FAIRLEAD_PORT ?? 5099) + '/livez').then(({ status }) => process.exit(status < 500 ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/index.js"]
`,
  ...manager.files,
});
