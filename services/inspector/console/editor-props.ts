/** What an editor of an expression is given. */

export interface ExpressionProblem {
  /** First character that is meant, from 0. */
  readonly position: number;
  readonly length: number;
  readonly message: string;
}

export interface EditorProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  /** An expression whose members need no dot; empty without one. */
  readonly element: string;
  readonly problem: ExpressionProblem | undefined;
  readonly onChange: (text: string) => void;
  /** Ctrl and Enter were pressed. */
  readonly onRun: () => void;
}
