/** Asks a question of the inspector and keeps what it cost: time, size, and where the text was wrong. */
import { readCallError } from "@fairlead/console/kit";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ExpressionProblem } from "./editor-props.ts";

export interface QuestionResult<T> {
  readonly answer: T | undefined;
  /** Milliseconds until the answer was here. */
  readonly ms: number;
  /** Of the answer as text. */
  readonly bytes: number;
  readonly error: ReturnType<typeof readCallError> | undefined;
}

interface QuestionRun<T> {
  readonly state: QuestionResult<T> | undefined;
  readonly isRunning: boolean;
  readonly run: (ask: () => Promise<T>) => void;
}

/** The latest question counts: what an earlier one answers later is dropped. */
export const useAsking = <T>(): QuestionRun<T> => {
  const [state, setState] = useState<QuestionResult<T>>();
  const [isRunning, setRunning] = useState(false);
  const latest = useRef(0);
  useEffect(
    () => () => {
      latest.current = -1;
    },
    [],
  );
  const run = useCallback((ask: () => Promise<T>) => {
    latest.current += 1;
    const turn = latest.current;
    const begun = performance.now();
    setRunning(true);
    const done = (result: Omit<QuestionResult<T>, "ms">): void => {
      if (turn !== latest.current) return;
      setRunning(false);
      setState({ ...result, ms: performance.now() - begun });
    };
    ask().then(
      (answer) => done({ answer, bytes: JSON.stringify(answer)?.length ?? 0, error: undefined }),
      (error: unknown) => done({ answer: undefined, bytes: 0, error: readCallError(error) }),
    );
  }, []);
  return { state, isRunning, run };
};

/** The problem of one field, where the error is about it. */
export const problemIn = (asked: QuestionResult<unknown> | undefined, part: string): ExpressionProblem | undefined => {
  const data = asked?.error?.data;
  if (typeof data !== "object" || data === null || !("part" in data) || data.part !== part) return undefined;
  const { position = 0, length = 0 } = data as { readonly position?: unknown; readonly length?: unknown };
  if (typeof position !== "number" || typeof length !== "number") return undefined;
  const { message = "", hint } = asked?.error ?? {};
  const [first = ""] = message.replace(/^\w+: /, "").split("\n");
  return { position, length, message: hint === undefined ? first : `${first} (${hint})` };
};
