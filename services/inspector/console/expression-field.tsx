/** A field for an expression: its label, and the editor once it is there; until then a plain field of the same height, which takes text as well. */
import { lazy, Suspense, useId } from "react";
import type { EditorProps } from "./editor-props.ts";

const ExpressionEditor = lazy(() => import("./expression-editor.tsx"));

export const ExpressionField = (props: Omit<EditorProps, "id">) => {
  const id = useId();
  const { label, value, onChange, problem } = props;
  return (
    <div className="min-w-0">
      <span className="text-xs text-soft" aria-hidden="true">
        {label}
      </span>
      <Suspense
        fallback={
          <input
            aria-label={label}
            value={value}
            onChange={({ target }) => onChange(target.value)}
            className="block w-full rounded-md border border-line bg-card px-2 font-mono text-sm"
            style={{ height: 34 }}
          />
        }
      >
        <ExpressionEditor id={id} {...props} />
      </Suspense>
      {problem !== undefined && (
        <p role="alert" className="mt-1 text-sm text-bad break-words">
          {problem.message}
        </p>
      )}
    </div>
  );
};
