/** Labelled inputs, tabs and figures of pages. They hold no state: what is typed is handed on. */
import { type ReactNode, useId } from "react";

const box = "h-8 w-full min-w-0 rounded-md border border-line bg-card px-2 text-sm";

interface FieldProps<T> {
  readonly label: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly disabled?: boolean;
  readonly className?: string;
}

const Labelled = ({
  label,
  id,
  className = "",
  children,
}: {
  readonly label: string;
  readonly id: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) => (
  <div className={`min-w-0 ${className}`}>
    <label htmlFor={id} className="block truncate text-xs text-soft">
      {label}
    </label>
    {children}
  </div>
);

/** `options` are shown as one types; any other text is taken, too. */
export const TextField = ({
  label,
  value,
  onChange,
  options,
  placeholder,
  disabled,
  className,
}: FieldProps<string> & { readonly options?: readonly string[]; readonly placeholder?: string }) => {
  const id = useId();
  return (
    <Labelled label={label} id={id} className={className}>
      <input
        id={id}
        value={value}
        disabled={disabled}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        list={options === undefined ? undefined : `${id} options`}
        onChange={({ target }) => onChange(target.value)}
        className={box}
      />
      {options !== undefined && (
        <datalist id={`${id} options`}>
          {[...new Set(options)].map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </Labelled>
  );
};

/** Text that is no number changes nothing. */
export const NumberField = ({
  label,
  value,
  onChange,
  least,
  most,
  disabled,
  className,
}: FieldProps<number> & { readonly least: number; readonly most: number }) => {
  const id = useId();
  return (
    <Labelled label={label} id={id} className={className}>
      <input
        id={id}
        type="number"
        value={value}
        min={least}
        max={most}
        disabled={disabled}
        onChange={({ target: { valueAsNumber } }) => {
          if (Number.isFinite(valueAsNumber)) onChange(Math.min(most, Math.max(least, Math.round(valueAsNumber))));
        }}
        className={`${box} tabular`}
      />
    </Labelled>
  );
};

export const ChoiceField = <T extends string>({
  label,
  value,
  onChange,
  options,
  disabled,
  className,
}: FieldProps<T> & { readonly options: readonly (readonly [value: T, text: string])[] }) => {
  const id = useId();
  return (
    <Labelled label={label} id={id} className={className}>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={({ target }) => {
          const chosen = options.find(([option]) => option === target.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
        className={box}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
};

export const TextArea = ({
  label,
  value,
  onChange,
  rows,
  placeholder,
  disabled,
  className,
}: FieldProps<string> & { readonly rows: number; readonly placeholder?: string }) => {
  const id = useId();
  return (
    <Labelled label={label} id={id} className={className}>
      <textarea
        id={id}
        rows={rows}
        value={value}
        disabled={disabled}
        placeholder={placeholder}
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        className="w-full rounded-md border border-line bg-card p-3 font-mono text-xs"
      />
    </Labelled>
  );
};

/** Parts of a page, of which one is shown. */
export const Sections = <T extends string>({
  label,
  shown,
  onOpen,
  sections,
}: {
  readonly label: string;
  readonly shown: T;
  readonly onOpen: (section: T) => void;
  readonly sections: readonly (readonly [section: T, text: string])[];
}) => (
  <nav aria-label={label} className="mb-5 flex flex-wrap gap-1 border-b border-line">
    {sections.map(([section, text]) => (
      <button
        key={section}
        type="button"
        aria-current={section === shown ? "page" : undefined}
        onClick={() => onOpen(section)}
        className={`-mb-px border-b-2 px-3 py-2 text-sm ${section === shown ? "border-accent font-semibold text-text" : "border-transparent text-soft hover:text-text"}`}
      >
        {text}
      </button>
    ))}
  </nav>
);

/** One number that a page is about. */
export const Figure = ({
  label,
  value,
  note,
}: {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
}) => (
  <div className="min-w-0 rounded-lg border border-line bg-card px-4 py-3">
    <p className="truncate text-xs text-soft">{label}</p>
    <p className="tabular mt-0.5 text-2xl font-semibold tracking-tight">{value}</p>
    {/* A line even where there is nothing to say: figures side by side stay level. */}
    <p className="tabular truncate text-xs text-soft">{note ?? "\u00a0"}</p>
  </div>
);
