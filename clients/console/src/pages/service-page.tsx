/** A page that the package of a service brings: an ES module that the kernel serves, loaded when it is opened. The console knows nothing else of it. */
import { useParams } from "@tanstack/react-router";
import { Component, type ComponentType, type ReactNode, useEffect, useState } from "react";
import { type ServicePageEntry, useServicePages } from "../api/kernel.ts";
import { Card, Empty, ErrorNote, Mono } from "../ui/parts.tsx";

type PageState =
  | { readonly kind: "loading" }
  | { readonly kind: "page"; readonly Page: ComponentType }
  | { readonly kind: "failed"; readonly message: string };

/** Modules that were asked for, by their path: a module that failed is asked for again when its page is opened again. */
const loaded = new Map<string, Promise<PageState>>();

const load = (module: string): Promise<PageState> => {
  const known = loaded.get(module);
  if (known !== undefined) return known;
  const loading = import(/* @vite-ignore */ module).then(
    ({ default: Page }: { readonly default?: unknown }): PageState =>
      typeof Page === "function"
        ? { kind: "page", Page: Page as ComponentType }
        : { kind: "failed", message: "its module has no page as its default export" },
    (error: unknown): PageState => {
      loaded.delete(module);
      return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
    },
  );
  loaded.set(module, loading);
  return loading;
};

export const ServicePage = () => {
  const { service } = useParams({ from: "/x/$service" });
  const { data: pages, error } = useServicePages();
  const entry = pages?.find((each) => each.service === service);
  if (entry !== undefined) return <Page key={entry.module} {...entry} />;
  if (pages === undefined && error === null) return null;
  return (
    <Card>
      <Empty title={`${service} brings no page`}>
        A service brings one in its package, as docs/console.md says. In a checkout it has to be built:{" "}
        <Mono>npm run build</Mono>.
      </Empty>
    </Card>
  );
};

const Page = ({ module, title }: ServicePageEntry) => {
  const [state, setState] = useState<PageState>({ kind: "loading" });
  useEffect(() => {
    let isGone = false;
    void load(module).then((next) => {
      if (!isGone) setState(next);
    });
    return () => {
      isGone = true;
    };
  }, [module]);
  if (state.kind === "loading") return <p className="text-soft">Loading {title}…</p>;
  if (state.kind === "failed") return <Failure title={title} message={state.message} />;
  const { Page: Shown } = state;
  return (
    <Boundary title={title}>
      <Shown />
    </Boundary>
  );
};

const Failure = ({ title, message }: { readonly title: string; readonly message: string }) => (
  <ErrorNote
    code="page"
    message={`${title} cannot be shown: ${message}`}
    hint="It was perhaps built for another version of the console. The rest of the console works without it."
  />
);

/** A page that throws takes nothing else with it. */
class Boundary extends Component<{ readonly title: string; readonly children: ReactNode }> {
  override state: { readonly message: string | undefined } = { message: undefined };

  static getDerivedStateFromError(error: unknown): { readonly message: string } {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { message } = this.state;
    return message === undefined ? this.props.children : <Failure title={this.props.title} message={message} />;
  }
}
