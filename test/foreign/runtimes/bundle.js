/**
 * Bundles a handler for a runtime: `node bundle.js <runtime> <module>`, where the module exports it as `answer`. Writes `dist/<runtime>/`, and for workerd its
 * configuration.
 */
import { writeFileSync } from "node:fs";
import { rolldown } from "rolldown";

const [, , runtime = "", module = ""] = process.argv;
const folder = `dist/${runtime}`;

/** Where the handler is handed over. */
const servers = {
  bun: `const { port } = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: answer });
console.log(JSON.stringify({ port }));`,
  deno: `const onListen = ({ port }) => console.log(JSON.stringify({ port }));
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, answer);`,
  workerd: "export default { fetch: (request) => answer(request) };",
};

const entry = {
  name: "entry",
  resolveId: (id) => (id === "main" ? id : undefined),
  load: (id) => (id === "main" ? `import { answer } from ${JSON.stringify(module)};\n${servers[runtime]}` : undefined),
};

/** A worker has no files: its modules have no address, and no conditions of Node's. */
const ofWorkerd = {
  platform: "neutral",
  resolve: {
    mainFields: ["module", "main"],
    conditionNames: ["@fairlead/source", "workerd", "worker", "import", "default"],
  },
  transform: { define: { "import.meta.url": '"file:///worker.js"' } },
};
const ofNode = {
  platform: "node",
  resolve: { conditionNames: ["@fairlead/source", "node", "import", "default"] },
};

const bundle = await rolldown({
  input: { main: "main" },
  plugins: [entry],
  // Loaded where there are state folders, child processes, schedules and WebSockets.
  external: [/^node:/, "better-sqlite3", "croner", "execa", "ws"],
  logLevel: "silent",
  ...(runtime === "workerd" ? ofWorkerd : ofNode),
});
const { output } = await bundle.write({
  dir: folder,
  entryFileNames: "main.js",
  chunkFileNames: "[name]-[hash].js",
});

if (runtime === "workerd") {
  const modules = output.map(({ fileName }) => `(name = "${fileName}", esModule = embed "${fileName}")`);
  modules.sort((a, b) => Number(b.includes('"main.js"')) - Number(a.includes('"main.js"')));
  writeFileSync(
    `${folder}/config.capnp`,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [${modules.join(", ")}],
  compatibilityDate = "2026-09-01"
);
`,
  );
}
