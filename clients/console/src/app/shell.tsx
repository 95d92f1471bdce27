/** What is around every page: navigation, the state of the live stream, who is there, the palette, and the door for those who are not let in. */
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { isSignedOut } from "../api/client.ts";
import { useServicePages, useWhoami } from "../api/kernel.ts";
import { useLive } from "../api/live.ts";
import { endSession } from "../api/session.ts";
import { Badge, Button } from "../ui/parts.tsx";
import { pages } from "./navigation.ts";
import { toggleScheme } from "./scheme.ts";
import { SignIn } from "./sign-in.tsx";

const Palette = lazy(() => import("./palette.tsx").then(({ Palette: component }) => ({ default: component })));

const LiveBadge = () => {
  const { status, missed } = useLive();
  return (
    <span className="flex items-center gap-2" role="status">
      {missed > 0 && <Badge tone="warn">{missed} events skipped</Badge>}
      {status === "open" ? (
        <Badge tone="good">● Live</Badge>
      ) : (
        <Badge tone={status === "lost" ? "bad" : "plain"}>
          {status === "lost" ? "▲ Reconnecting" : "○ Connecting"}
        </Badge>
      )}
    </span>
  );
};

const Caller = () => {
  const { data } = useWhoami();
  if (data === undefined) return null;
  const rights = data.access.includes("admin")
    ? "may do everything"
    : data.access.includes("call")
      ? "may call"
      : "may read";
  return (
    <span className="flex items-center gap-2 text-sm text-soft">
      <span title={`Access: ${data.access.join(", ")}`}>
        {data.principal} <span className="hidden sm:inline">({rights})</span>
      </span>
      {data.principal !== "local" && (
        <Button onClick={() => void endSession().then(() => location.assign("/console"))}>Sign out</Button>
      )}
    </span>
  );
};

const linkClass = "rounded-md px-3 py-1.5 whitespace-nowrap text-soft hover:bg-sunk hover:text-text";
const activeLink = { className: "bg-accent-soft font-medium !text-accent", "aria-current": "page" } as const;

const Navigation = () => (
  <nav
    aria-label="Pages"
    className="flex gap-1 overflow-x-auto px-2 py-2 md:flex-col md:overflow-visible md:px-3 md:py-4"
  >
    {pages.map(({ to, title }) => (
      <Link key={to} to={to} activeOptions={{ exact: to === "/" }} className={linkClass} activeProps={activeLink}>
        {title}
      </Link>
    ))}
    <ServicePages />
  </nav>
);

/** Pages that packages of services bring. */
const ServicePages = () => {
  const { data = [] } = useServicePages();
  if (data.length === 0) return null;
  return (
    <>
      <span className="mx-3 hidden border-t border-line pt-3 text-xs text-soft md:mt-3 md:block">Of services</span>
      {data.map(({ service, title }) => (
        <Link key={service} to="/x/$service" params={{ service }} className={linkClass} activeProps={activeLink}>
          {title}
        </Link>
      ))}
    </>
  );
};

/** Opens the palette. */
const useKeys = (openPalette: () => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && event.key === "k") {
        event.preventDefault();
        openPalette();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [openPalette]);
};

const Frame = ({ children }: { readonly children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const open = (): void => {
    setWasOpen(true);
    setOpen(true);
  };
  useKeys(open);
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-card focus:p-2">
        Skip to the page
      </a>
      <header className="sticky top-0 z-20 flex h-13 items-center justify-between gap-3 border-b border-line bg-card px-4">
        <Link to="/" className="flex items-center gap-2 font-semibold tracking-tight">
          <svg viewBox="0 0 32 32" className="size-6 text-accent" aria-hidden="true">
            <circle cx="16" cy="16" r="8" fill="none" stroke="currentColor" strokeWidth="3.5" />
            <path d="M1 16h8M23 16h8" stroke="currentColor" strokeWidth="3.5" />
          </svg>
          Fairlead
        </Link>
        <div className="flex items-center gap-2 sm:gap-3">
          <LiveBadge />
          <Button onClick={open} title="Search (Ctrl K)">
            <span>Search</span>
            <kbd className="hidden font-mono text-xs text-soft sm:inline">Ctrl K</kbd>
          </Button>
          <Button
            onClick={toggleScheme}
            aria-label="Switch between light and dark"
            title="Switch between light and dark"
          >
            <span aria-hidden="true">◐</span>
          </Button>
          <Caller />
        </div>
      </header>
      <div className="flex flex-1 flex-col md:flex-row">
        <div className="border-b border-line bg-card md:sticky md:top-13 md:h-[calc(100dvh-3.25rem)] md:w-48 md:shrink-0 md:border-r md:border-b-0">
          <Navigation />
        </div>
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 p-4 md:p-6 focus-visible:outline-none">
          <div className="mx-auto max-w-7xl">{children}</div>
        </main>
      </div>
      {wasOpen && (
        <Suspense>
          <Palette open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      )}
    </div>
  );
};

export const Shell = () => {
  const { error, isPending } = useWhoami();
  const path = useRouterState({ select: ({ location: { pathname } }) => pathname });
  const { data: ofServices } = useServicePages();
  useEffect(() => {
    const page =
      pages.find(({ to }) => (to === "/" ? path === "/" : path.startsWith(to))) ??
      ofServices?.find(({ service }) => path === `/x/${service}`);
    document.title = `${page?.title ?? "Console"} · Fairlead`;
  }, [path, ofServices]);
  if (error !== null && isSignedOut(error)) return <SignIn />;
  return <Frame>{isPending ? null : <Outlet />}</Frame>;
};
