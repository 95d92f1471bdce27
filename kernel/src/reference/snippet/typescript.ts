/** A call in TypeScript: with the generated client, or with a descriptor written in place where there is none. Pure. */
import { type LiteralStyle, printLiteral } from "./literal.ts";
import type { SnippetCall, SnippetFile } from "./snippet-call.ts";

const style: LiteralStyle = {
  null: "null",
  true: "true",
  false: "false",
  // `__proto__: x` would set a prototype.
  key: (name) =>
    name === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name),
  padding: " ",
};

export const printTypescript = (call: SnippetCall): string => {
  const { kind, procedure, input, idempotencyKey, file } = call;
  const options = idempotencyKey === undefined ? "" : `, ${printLiteral({ idempotencyKey }, style)}`;
  const sent = file?.way === "sent" ? ", file" : "";
  const used = `client.${procedure}(${printLiteral(input, style)}${sent}${options})`;
  return [...printClient(call), ...(file === undefined ? printUse(kind, used) : printFile(used, file))].join("\n");
};

const printUse = (kind: SnippetCall["kind"], used: string): readonly string[] => [
  kind === "subscription" ? `for await (const event of ${used}) console.log(event);` : `console.log(await ${used});`,
];

const printFile = (used: string, { way, path, type }: SnippetFile): readonly string[] =>
  way === "got"
    ? [`const { stream } = await ${used};`, `await writeFile(${JSON.stringify(path)}, stream);`]
    : [
        `const file = new File([await openAsBlob(${JSON.stringify(path)})], ${JSON.stringify(baseName(path))}${type === undefined ? "" : `, ${printLiteral({ type }, style)}`});`,
        `console.log(await ${used});`,
      ];

const baseName = (path: string): string => path.split("/").at(-1) || "file";

const fileImports = {
  sent: 'import { openAsBlob } from "node:fs";',
  got: 'import { writeFile } from "node:fs/promises";',
} as const;

const printClient = (call: SnippetCall): readonly string[] => {
  const { service, typescriptModule, url, needsToken, file } = call;
  const token = needsToken ? ", token: process.env.FAIRLEAD_TOKEN" : "";
  const transport = `fetchTransport({ url: ${JSON.stringify(url)}${token} })`;
  const base = [
    ...(file === undefined ? [] : [fileImports[file.way]]),
    `import { createClient, fetchTransport } from ${JSON.stringify("@fairlead/client")};`,
  ];
  if (typescriptModule !== undefined) {
    const types = `${service.charAt(0).toUpperCase()}${service.slice(1)}Types`;
    return [
      ...base,
      `import { ${service}, type ${types} } from ${JSON.stringify(typescriptModule)};`,
      "",
      `const client = createClient<${types}>(${service}, ${transport});`,
    ];
  }
  const { procedure, kind, path, retry } = call;
  const takes = file === undefined ? {} : { [file.way === "sent" ? "upload" : "download"]: true };
  const described = { [procedure]: { name: `${service}.${procedure}`, kind, path, retry, ...takes } };
  const marks = { ...(kind === "subscription" && { kind: '"subscription"' }), ...takes };
  const marked = Object.entries(marks).map(([name, value]) => `${name}: ${value}; `);
  return [
    ...base,
    "",
    `const ${service} = { id: ${JSON.stringify(service)}, procedures: ${printLiteral(described, style)} } as const;`,
    `interface Types { ${style.key(procedure)}: { ${marked.join("")}input: unknown; output: unknown; errors: {} } }`,
    "",
    `const client = createClient<Types>(${service}, ${transport});`,
  ];
};
