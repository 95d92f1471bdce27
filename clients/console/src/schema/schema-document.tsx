/** A schema as a document for people: fields with what they take, whether they are needed, and what they are for. Types inside open on request. */
import { Badge, Mono } from "../ui/parts.tsx";
import {
  alternatives,
  type Field,
  fieldsIn,
  isRecord,
  readKind,
  resolveSchema,
  type Schema,
  typeText,
} from "./schema.ts";

interface Inside {
  readonly title: string;
  readonly schema: Schema;
}

/** The objects that are in a field: itself, the items of a list, the alternatives of a union. */
const objectsIn = (root: Schema, node: unknown, title = ""): readonly Inside[] => {
  const schema = resolveSchema(root, node);
  const kind = readKind(schema);
  if (kind === "object") return [{ title, schema }];
  if (kind === "array") return objectsIn(root, schema.items, "each item");
  if (kind === "map" && isRecord(schema.additionalProperties))
    return objectsIn(root, schema.additionalProperties, "each value");
  if (kind !== "union") return [];
  return alternatives(root, schema).flatMap((each, index) =>
    objectsIn(root, each, alternativeTitle(root, each, index)),
  );
};

const alternativeTitle = (root: Schema, schema: Schema, index: number): string => {
  const mark = fieldsIn(root, schema).find(({ schema: field }) => readKind(field) === "const");
  if (mark !== undefined) return `where ${mark.name} is ${JSON.stringify(mark.schema.const)}`;
  return typeof schema.title === "string" ? schema.title : `form ${index + 1}`;
};

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const FieldRow = ({
  root,
  field: { name, schema, isRequired },
  depth,
}: {
  readonly root: Schema;
  readonly field: Field;
  readonly depth: number;
}) => {
  const inside = objectsIn(root, schema);
  return (
    <li className="px-4 py-2.5">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Mono>
          <span className="font-semibold">{name}</span>
        </Mono>
        <span className="min-w-0 text-sm break-words text-key">{typeText(root, schema)}</span>
        {!isRequired && <Badge>optional</Badge>}
        {"default" in schema && (
          <span className="text-xs text-soft">
            default <Mono>{JSON.stringify(schema.default)}</Mono>
          </span>
        )}
      </p>
      {text(schema.description) !== undefined && (
        <p className="max-w-prose text-sm text-soft">{text(schema.description)}</p>
      )}
      {inside.map(({ title, schema: each }) => (
        <details key={title} className="mt-1">
          <summary className="cursor-pointer text-sm text-accent">
            {fieldsIn(root, each).length} fields {title}
          </summary>
          <div className="mt-1 rounded-md border border-line">
            <Fields root={root} schema={each} depth={depth + 1} />
          </div>
        </details>
      ))}
    </li>
  );
};

const Fields = ({
  root,
  schema,
  depth,
}: {
  readonly root: Schema;
  readonly schema: Schema;
  readonly depth: number;
}) => (
  <ul className="divide-y divide-line">
    {fieldsIn(root, schema).map((field) => (
      <FieldRow key={field.name} root={root} field={field} depth={depth} />
    ))}
  </ul>
);

export const SchemaDocument = ({ root, empty }: { readonly root: Schema; readonly empty: string }) => {
  const schema = resolveSchema(root, root);
  if (readKind(schema) === "object" || (readKind(schema) === "map" && !isRecord(schema.additionalProperties))) {
    return fieldsIn(root, schema).length === 0 ? (
      <p className="p-4 text-soft">{empty}</p>
    ) : (
      <Fields root={root} schema={schema} depth={0} />
    );
  }
  return (
    <ul>
      <FieldRow root={root} field={{ name: "value", schema, isRequired: true }} depth={0} />
    </ul>
  );
};
