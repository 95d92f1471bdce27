/** A call in TypeScript: with the generated client, or with a descriptor written in place where there is none. Pure. */
import { type LiteralStyle, printLiteral } from "./literal.ts";
import type { SnippetCall } from "./snippet-call.ts";

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
  const { kind, procedure, input, idempotencyKey } = call;
  const options = idempotencyKey === undefined ? "" : `, ${printLiteral({ idempotencyKey }, style)}`;
  const args = `(${printLiteral(input, style)}${options})`;
  const used =
    kind === "subscription"
      ? `for await (const event of client.${procedure}${args}) console.log(event);`
      : `console.log(await client.${procedure}${args});`;
  return [...printClient(call), used].join("\n");
};

const printClient = (call: SnippetCall): readonly string[] => {
  const { service, typescriptModule, url, needsToken } = call;
  const token = needsToken ? ", token: process.env.FAIRLEAD_TOKEN" : "";
  const transport = `fetchTransport({ url: ${JSON.stringify(url)}${token} })`;
  const base = `import { createClient, fetchTransport } from ${JSON.stringify("@fairlead/client")};`;
  if (typescriptModule !== undefined) {
    const types = `${service.charAt(0).toUpperCase()}${service.slice(1)}Types`;
    return [
      base,
      `import { ${service}, type ${types} } from ${JSON.stringify(typescriptModule)};`,
      "",
      `const client = createClient<${types}>(${service}, ${transport});`,
    ];
  }
  const { procedure, kind, path, retry } = call;
  const described = { [procedure]: { name: `${service}.${procedure}`, kind, path, retry } };
  const stream = kind === "subscription" ? 'kind: "subscription"; ' : "";
  return [
    base,
    "",
    `const ${service} = { id: ${JSON.stringify(service)}, procedures: ${printLiteral(described, style)} } as const;`,
    `interface Types { ${style.key(procedure)}: { ${stream}input: unknown; output: unknown; errors: {} } }`,
    "",
    `const client = createClient<Types>(${service}, ${transport});`,
  ];
};
