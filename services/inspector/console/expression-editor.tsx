/** An editor for one expression: colours, completion from live objects, and where it is wrong. Heavy, so it is loaded when it is shown. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, placeholder as showPlaceholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { findPlace } from "./completion.ts";
import type { EditorProps } from "./editor-props.ts";
import { suggest } from "./live-types.ts";

const words = /^(?:new|it|root|parent|true|false|null|and|or|not|in|is|as|asc|desc|iif)\b/;

const language = StreamLanguage.define({
  token: (stream) => {
    if (stream.eatSpace()) return null;
    if (stream.match(/^(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/)) return "string";
    if (stream.match(/^(?:0x[0-9a-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)[a-z]*/i)) return "number";
    if (stream.match(words)) return "keyword";
    if (stream.match(/^@\w+/)) return "atom";
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_]*(?=\s*(?:<[^<>]*>)?\()/u)) return "variableName.function";
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)) return "variableName";
    stream.next();
    return "operator";
  },
});

const colors = HighlightStyle.define([
  { tag: tags.string, color: "var(--color-good)" },
  { tag: [tags.number, tags.atom], color: "var(--color-key)" },
  { tag: tags.keyword, color: "var(--color-accent)", fontWeight: "600" },
  { tag: tags.function(tags.variableName), color: "var(--color-warn)" },
  { tag: tags.variableName, color: "var(--color-text)" },
  { tag: tags.operator, color: "var(--color-soft)" },
]);

const look = EditorView.theme({
  "&": {
    backgroundColor: "var(--color-card)",
    border: "1px solid var(--color-line)",
    borderRadius: "6px",
    fontSize: "13px",
  },
  "&.cm-focused": { outline: "2px solid var(--color-accent)", outlineOffset: "-1px" },
  ".cm-content": {
    fontFamily: "var(--font-mono)",
    padding: "6px 4px",
    caretColor: "var(--color-text)",
    minHeight: "20px",
  },
  ".cm-cursor": { borderLeftColor: "var(--color-text)" },
  ".cm-placeholder": { color: "var(--color-soft)" },
  ".cm-tooltip": {
    backgroundColor: "var(--color-card)",
    border: "1px solid var(--color-line)",
    color: "var(--color-text)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--color-accent-soft)",
    color: "var(--color-accent)",
  },
  ".cm-completionDetail": { color: "var(--color-soft)", fontStyle: "normal", marginLeft: "1em" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-diagnostic": { borderLeft: "3px solid var(--color-bad)", color: "var(--color-text)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--color-bad)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--color-accent-soft)",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--color-sunk)" },
});

/** A browser that replaces coloured text by itself writes the color into an inline style, which the policy of the page refuses. */
const typedOverSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    if (event.inputType !== "insertText" || event.data === null || view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/** The page's own policy lets styles in by this alone. */
const styleNonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

export default function ExpressionEditor({
  id,
  label,
  value,
  placeholder,
  element,
  problem,
  onChange,
  onRun,
}: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const current = useRef({ onChange, onRun, element });
  useEffect(() => {
    current.current = { onChange, onRun, element };
  });
  // The text that the editor begins with; later ones are set below.
  const first = useRef(value);
  useEffect(() => {
    if (place.current === null) return;
    const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
      const found = findPlace(context.state.doc.toString(), context.pos);
      if (found === undefined || (found.word === "" && found.base === "" && !context.explicit)) return null;
      const options = await suggest(found.base, current.current.element);
      return {
        from: found.from,
        validFor: /^[\p{L}\p{N}_]*$/u,
        options: options.map(({ label: name, detail, kind }) => ({
          label: name,
          detail,
          type: kind,
          ...(kind === "method" && { apply: `${name.replace(/<.*$/, "")}(` }),
        })),
      };
    };
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          EditorView.cspNonce.of(styleNonce()),
          Prec.highest(
            keymap.of([
              {
                key: "Mod-Enter",
                run: () => {
                  current.current.onRun();
                  return true;
                },
              },
            ]),
          ),
          history(),
          bracketMatching(),
          language,
          syntaxHighlighting(colors),
          autocompletion({ override: [complete], icons: false }),
          // Tab goes on to the next part of the page.
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          typedOverSelection,
          EditorView.lineWrapping,
          showPlaceholder(placeholder),
          EditorView.contentAttributes.of({ id, "aria-label": label, "data-gramm": "false" }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) current.current.onChange(state.doc.toString());
          }),
          look,
        ],
      }),
    });
    editor.current = view;
    return () => {
      view.destroy();
      editor.current = null;
    };
  }, [id, label, placeholder]);
  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    const { length } = view.state.doc;
    const from = Math.min(problem?.position ?? 0, Math.max(0, length - 1));
    const to = Math.min(length, Math.max(from + 1, (problem?.position ?? 0) + (problem?.length ?? 0)));
    const shown =
      problem === undefined || length === 0 ? [] : [{ from, to, severity: "error" as const, message: problem.message }];
    view.dispatch(setDiagnostics(view.state, shown));
  }, [problem]);
  return <div ref={place} />;
}
