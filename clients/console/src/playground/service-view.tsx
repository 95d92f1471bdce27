/** A result as the service's own contract shows it: the blocks of a verb's view, drawn. */
import {
  fractionText,
  largestRatio,
  layOut,
  partsFilled,
  percentText,
  type VerbView,
  type ViewBlock,
} from "@fairlead/contracts/view";

/** `undefined` where the view has nothing to show of this value, or cannot be read. */
export const viewBlock = (view: VerbView, value: unknown): ViewBlock | undefined => {
  try {
    return layOut({ variables: {}, value }, view);
  } catch {
    // A kernel of a later release may know views that this page does not.
    return undefined;
  }
};

export const ServiceView = ({ block }: { readonly block: ViewBlock }) => {
  switch (block.kind) {
    case "text":
      return <p className="break-words whitespace-pre-wrap">{block.text}</p>;
    case "group":
      return (
        <div className="flex flex-col gap-2">
          {block.blocks.map((each, index) => (
            // Blocks have no name but their place.
            <ServiceView key={index} block={each} />
          ))}
        </div>
      );
    case "fields":
      return (
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          {block.rows.map(([name, text]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="break-words">{text}</dd>
            </div>
          ))}
        </dl>
      );
    case "table":
      return <TableBlock heads={block.heads} rows={block.rows} />;
    case "bars":
      return <Bars rows={block.rows} />;
  }
};

const mostRows = 500;

const TableBlock = ({ heads, rows }: Omit<Extract<ViewBlock, { readonly kind: "table" }>, "kind">) => (
  <section className="max-h-96 overflow-auto rounded-md border border-line" tabIndex={0} aria-label="Rows">
    <table className="w-full text-left text-sm">
      {heads.length > 0 && (
        <thead className="sticky top-0 bg-sunk text-xs text-soft">
          <tr>
            {heads.map((head, index) => (
              <th key={index} scope="col" className="px-3 py-1.5 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody className="divide-y divide-line">
        {rows.slice(0, mostRows).map((row, index) => (
          <tr key={index}>
            {row.map((cell, at) => (
              <td key={at} className="px-3 py-1 break-words">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    {rows.length > mostRows && (
      <p className="p-2 text-xs text-soft">
        The first {mostRows} of {rows.length}.
      </p>
    )}
  </section>
);

/** Thousandths of the longest bar. */
const parts = 1_000;

/** Longest fraction that is shown, in characters. */
const longestFraction = 23;

const Bars = ({ rows }: Pick<Extract<ViewBlock, { readonly kind: "bars" }>, "rows">) => {
  const largest = largestRatio(rows.map(({ ratio }) => ratio));
  return (
    <table className="tabular w-full text-sm">
      <tbody>
        {rows.map(({ name, ratio }) => {
          const fraction = fractionText(ratio);
          return (
            <tr key={name}>
              <th scope="row" className="w-px py-0.5 pr-3 text-right font-normal whitespace-nowrap text-soft">
                {name}
              </th>
              <td className="w-px pr-3 text-right whitespace-nowrap">{percentText(ratio)}</td>
              <td className="w-px pr-3 font-mono text-xs whitespace-nowrap text-soft">
                {fraction.length <= longestFraction ? fraction : ""}
              </td>
              <td>
                <svg aria-hidden="true" viewBox={`0 0 ${parts} 10`} preserveAspectRatio="none" className="h-2.5 w-full">
                  <rect width={partsFilled(ratio, largest, parts)} height="10" fill="var(--color-accent)" />
                </svg>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
