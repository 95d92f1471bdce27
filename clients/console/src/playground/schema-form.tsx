/**
 * A form for any JSON Schema: fields, unions, nullables, lists, maps and recursion. It holds no state: it shows a value and hands on the next one,
 * so that the JSON beside it stays in step.
 */
import { useId } from "react";
import {
  alternatives,
  type Field,
  fieldsIn,
  firstValue,
  isRecord,
  matchingAlternative,
  readKind,
  resolveSchema,
  type Schema,
  typeText,
} from "../schema/schema.ts";
import { Button } from "../ui/parts.tsx";

interface InputProps {
  readonly root: Schema;
  readonly schema: Schema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly label: string;
}

const box = "h-8 w-full min-w-0 rounded-md border border-line bg-card px-2 text-sm";

export const SchemaInput = (props: InputProps) => {
  switch (readKind(props.schema)) {
    case "object":
      return <ObjectInput {...props} />;
    case "map":
      return <MapInput {...props} />;
    case "array":
      return <ListInput {...props} />;
    case "union":
      return <UnionInput {...props} />;
    case "enum":
      return <ChoiceInput {...props} />;
    case "boolean":
      return <BooleanInput {...props} />;
    case "number":
      return <NumberInput {...props} />;
    case "text":
      return <TextInput {...props} />;
    case "const":
    case "null":
      return <span className="font-mono text-xs text-soft">{JSON.stringify(props.schema.const ?? null)}</span>;
    default:
      return <AnyInput {...props} />;
  }
};

const ObjectInput = ({ root, schema, value, onChange }: InputProps) => {
  const fields = fieldsIn(root, schema);
  const current = isRecord(value) ? value : {};
  return (
    <div className="flex flex-col gap-3">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          root={root}
          field={field}
          value={current[field.name]}
          isThere={Object.hasOwn(current, field.name)}
          onChange={(next) => onChange({ ...current, [field.name]: next })}
          onRemove={() => onChange(Object.fromEntries(Object.entries(current).filter(([name]) => name !== field.name)))}
        />
      ))}
      {fields.length === 0 && <p className="text-sm text-soft">No fields.</p>}
    </div>
  );
};

interface FieldInputProps {
  readonly root: Schema;
  readonly field: Field;
  readonly value: unknown;
  readonly isThere: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onRemove: () => void;
}

const nested: ReadonlySet<string> = new Set(["object", "array", "map", "union"]);

const FieldInput = ({
  root,
  field: { name, schema, isRequired },
  value,
  isThere,
  onChange,
  onRemove,
}: FieldInputProps) => (
  <div className="min-w-0">
    <div className="mb-1 flex items-baseline justify-between gap-2">
      <p className="min-w-0 truncate text-sm">
        <span className="font-mono text-xs font-semibold">{name}</span>{" "}
        <span className="text-xs text-soft">{typeText(root, schema)}</span>
      </p>
      {!isRequired && (
        <button
          type="button"
          className="shrink-0 text-xs text-accent hover:underline"
          onClick={() => (isThere ? onRemove() : onChange(firstValue(root, schema)))}
        >
          {isThere ? "leave out" : "add"}
          <span className="sr-only"> {name}</span>
        </button>
      )}
    </div>
    {(isThere || isRequired) && (
      <div className={nested.has(readKind(schema)) ? "border-l-2 border-line pl-3" : ""}>
        <SchemaInput root={root} schema={schema} value={value} onChange={onChange} label={name} />
      </div>
    )}
  </div>
);

const UnionInput = ({ root, schema, value, onChange, label }: InputProps) => {
  const options = alternatives(root, schema);
  const at = matchingAlternative(root, options, value);
  const chosen = options[at];
  return (
    <div className="flex flex-col gap-2">
      <select
        aria-label={`Form of ${label}`}
        value={at}
        onChange={({ target }) => onChange(firstValue(root, options[Number(target.value)]))}
        className={box}
      >
        {options.map((option, index) => (
          // The alternatives of a schema have no other name, and never change their order.
          <option key={index} value={index}>
            {optionText(root, option)}
          </option>
        ))}
      </select>
      {chosen !== undefined && readKind(chosen) !== "null" && (
        <SchemaInput root={root} schema={chosen} value={value} onChange={onChange} label={label} />
      )}
    </div>
  );
};

const optionText = (root: Schema, option: Schema): string => {
  const mark = fieldsIn(root, option).find(({ schema }) => readKind(schema) === "const");
  return mark === undefined ? typeText(root, option) : `${mark.name}: ${JSON.stringify(mark.schema.const)}`;
};

const ListInput = ({ root, schema, value, onChange, label }: InputProps) => {
  const items = Array.isArray(value) ? value : [];
  const itemSchema = resolveSchema(root, schema.items);
  return (
    <div className="flex flex-col gap-2">
      {items.map((item, index) => (
        // Items have no name but their place.
        <div key={index} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <SchemaInput
              root={root}
              schema={itemSchema}
              value={item}
              onChange={(next) => onChange(items.with(index, next))}
              label={`${label} ${index + 1}`}
            />
          </div>
          <Button
            aria-label={`Remove item ${index + 1} of ${label}`}
            onClick={() => onChange(items.toSpliced(index, 1))}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button className="self-start" onClick={() => onChange([...items, firstValue(root, itemSchema)])}>
        Add to {label}
      </Button>
    </div>
  );
};

const MapInput = ({ root, schema, value, onChange, label }: InputProps) => {
  const current = isRecord(value) ? value : {};
  const valueSchema = resolveSchema(root, schema.additionalProperties);
  const entries = Object.entries(current);
  const rename = (index: number, name: string): void =>
    onChange(Object.fromEntries(entries.map(([key, each], at) => [at === index ? name : key, each])));
  return (
    <div className="flex flex-col gap-2">
      {entries.map(([key, each], index) => (
        // The key itself is what is edited.
        <div key={index} className="flex items-start gap-2">
          <input
            aria-label={`Key ${index + 1} of ${label}`}
            value={key}
            onChange={({ target }) => rename(index, target.value)}
            className={`${box} max-w-40 font-mono`}
          />
          <div className="min-w-0 flex-1">
            <SchemaInput
              root={root}
              schema={valueSchema}
              value={each}
              onChange={(next) => onChange({ ...current, [key]: next })}
              label={`${label} ${key}`}
            />
          </div>
          <Button
            aria-label={`Remove ${key}`}
            onClick={() => onChange(Object.fromEntries(entries.toSpliced(index, 1)))}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button
        className="self-start"
        onClick={() => onChange({ ...current, [`key${entries.length + 1}`]: firstValue(root, valueSchema) })}
      >
        Add to {label}
      </Button>
    </div>
  );
};

const ChoiceInput = ({ schema, value, onChange, label }: InputProps) => {
  const choices: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  return (
    <select
      aria-label={label}
      value={choices.indexOf(value)}
      onChange={({ target }) => onChange(choices[Number(target.value)])}
      className={box}
    >
      {choices.indexOf(value) === -1 && <option value={-1}>choose…</option>}
      {choices.map((choice, index) => (
        <option key={String(choice)} value={index}>
          {String(choice)}
        </option>
      ))}
    </select>
  );
};

const BooleanInput = ({ value, onChange, label }: InputProps) => (
  <select
    aria-label={label}
    value={value === true ? "true" : "false"}
    onChange={({ target }) => onChange(target.value === "true")}
    className={box}
  >
    <option>false</option>
    <option>true</option>
  </select>
);

const NumberInput = ({ schema, value, onChange, label }: InputProps) => (
  <input
    aria-label={label}
    type="number"
    step={schema.type === "integer" ? 1 : "any"}
    value={typeof value === "number" ? value : ""}
    onChange={({ target }) => onChange(target.value === "" ? undefined : target.valueAsNumber)}
    className={`${box} tabular`}
  />
);

const TextInput = ({ value, onChange, label, schema }: InputProps) => {
  const isLong = typeof schema.maxLength !== "number" || schema.maxLength > 200;
  const text = typeof value === "string" ? value : "";
  return isLong && text.length > 60 ? (
    <textarea
      aria-label={label}
      value={text}
      rows={4}
      onChange={({ target }) => onChange(target.value)}
      className="w-full rounded-md border border-line bg-card p-2 text-sm"
    />
  ) : (
    <input aria-label={label} value={text} onChange={({ target }) => onChange(target.value)} className={box} />
  );
};

/** What no form is known for: its JSON, taken over while it can be read. */
const AnyInput = ({ value, onChange, label }: InputProps) => {
  const id = useId();
  return (
    <textarea
      id={id}
      aria-label={`${label} as JSON`}
      rows={3}
      defaultValue={JSON.stringify(value, undefined, 2)}
      onChange={({ target }) => {
        try {
          onChange(JSON.parse(target.value));
        } catch {
          // Half written: the last value that could be read stays.
        }
      }}
      className="w-full rounded-md border border-line bg-card p-2 font-mono text-xs"
    />
  );
};
