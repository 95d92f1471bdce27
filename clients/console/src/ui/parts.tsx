/** The small parts that all pages are made of: buttons, badges, cards, times, copying. They know nothing of the kernel. */
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useState } from "react";
import { relativeTime } from "../text/relative-time.ts";

export type Tone = "good" | "warn" | "bad" | "plain" | "accent";

const tones: Readonly<Record<Tone, string>> = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  accent: "bg-accent-soft text-accent",
  plain: "bg-sunk text-soft",
};

export const Badge = ({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium ${tones[tone]}`}>
    {children}
  </span>
);

const stateTones: Readonly<Record<string, Tone>> = {
  Ready: "good",
  Starting: "accent",
  Draining: "warn",
  Backoff: "warn",
  Failed: "bad",
};

/** The state of a service or a child: a colour, a form and a word. */
export const StateBadge = ({ state, degraded = false }: { readonly state: string; readonly degraded?: boolean }) => {
  const tone = degraded && state === "Ready" ? "warn" : (stateTones[state] ?? "plain");
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{tone === "good" ? "●" : tone === "bad" ? "✕" : tone === "warn" ? "▲" : "○"}</span>
      {degraded && state === "Ready" ? "Degraded" : state}
    </Badge>
  );
};

export const Button = ({
  tone = "plain",
  className = "",
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly tone?: "plain" | "main" | "danger" }) => {
  const look = {
    plain: "border border-line bg-card hover:bg-sunk",
    main: "bg-accent text-on-accent hover:opacity-95",
    danger: "border border-line bg-card text-bad hover:bg-bad-soft",
  }[tone];
  return (
    <button
      type="button"
      className={`inline-flex h-8 items-center gap-1.5 rounded-md px-3 text-sm font-medium transition disabled:opacity-50 ${look} ${className}`}
      {...rest}
    />
  );
};

export const Card = ({
  title,
  actions,
  children,
  className = "",
}: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}) => (
  <section className={`min-w-0 rounded-lg border border-line bg-card ${className}`}>
    {title !== undefined && (
      <header className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-4 py-2">
        <h2 className="text-sm font-semibold">{title}</h2>
        {actions}
      </header>
    )}
    {children}
  </section>
);

/** What a page shows that has nothing yet: why, and what to do next. */
export const Empty = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
    <p className="font-semibold">{title}</p>
    <div className="max-w-prose text-soft">{children}</div>
  </div>
);

export const Mono = ({ children }: { readonly children: ReactNode }) => (
  <span className="font-mono text-[0.92em]">{children}</span>
);

export const useNow = (everyMs = 1_000): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

/** A time in relative words, with the exact one on hover. */
export const Time = ({ at }: { readonly at: string }) => {
  const now = useNow();
  return (
    <time
      dateTime={at}
      title={new Date(at).toLocaleString("en", { dateStyle: "full", timeStyle: "long" })}
      className="tabular whitespace-nowrap"
    >
      {relativeTime(Date.parse(at), now)}
    </time>
  );
};

/** Puts a text into the clipboard and says so. */
const CopyButton = ({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) => {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1_500);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <Button onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))} title={text}>
      <span aria-live="polite">{done ? "Copied" : label}</span>
    </Button>
  );
};

/** The same as a command of the terminal. */
export const CopyCommand = ({ command }: { readonly command: string }) => (
  <CopyButton text={command} label="Copy as fairlead command" />
);

export const CodeBlock = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div className="relative">
    {/* Scrolls, so it can be focused and read by keyboard. */}
    <section tabIndex={0} aria-label={label} className="max-h-96 overflow-auto rounded-md bg-sunk p-3 pr-20">
      <pre className="font-mono text-xs leading-relaxed break-words whitespace-pre-wrap">{text}</pre>
    </section>
    <div className="absolute top-2 right-2">
      <CopyButton text={text} />
    </div>
  </div>
);

export const ErrorNote = ({
  code,
  message,
  hint,
}: {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}) => (
  <div role="alert" className="rounded-md border border-line bg-bad-soft p-3 text-bad">
    <p className="font-semibold break-words">
      <Mono>{code}</Mono> {message}
    </p>
    {hint !== undefined && <p className="mt-1 text-text break-words">{hint}</p>}
  </div>
);

/** A title, what the page is about, and what can be done there. */
export const PageHeader = ({
  title,
  children,
  actions,
}: {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) => (
  <header className="mb-5 flex flex-wrap items-end justify-between gap-3">
    <div className="min-w-0">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {children !== undefined && <div className="mt-0.5 text-soft">{children}</div>}
    </div>
    {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
  </header>
);
