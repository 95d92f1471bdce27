/** The addresses of the console, each with its page. Pages but the first are loaded when they are opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { readMetricsSearch } from "../metrics/search.ts";
import { OverviewPage } from "../pages/overview.tsx";
import { Shell } from "./shell.tsx";

const rootRoute = createRootRoute({ component: Shell });

const overview = createRoute({ getParentRoute: () => rootRoute, path: "/", component: OverviewPage });

const services = createRoute({
  getParentRoute: () => rootRoute,
  path: "/services",
  component: lazyRouteComponent(() => import("../pages/services.tsx"), "ServicesPage"),
});

const service = createRoute({
  getParentRoute: () => rootRoute,
  path: "/services/$service",
  component: lazyRouteComponent(() => import("../pages/service.tsx"), "ServicePage"),
});

const contracts = createRoute({
  getParentRoute: () => rootRoute,
  path: "/contracts",
  component: lazyRouteComponent(() => import("../pages/contracts.tsx"), "ContractsPage"),
});

const contract = createRoute({
  getParentRoute: () => rootRoute,
  path: "/contracts/$procedure",
  component: lazyRouteComponent(() => import("../pages/contracts.tsx"), "ContractsPage"),
});

const playground = createRoute({
  getParentRoute: () => rootRoute,
  path: "/playground",
  validateSearch: ({ procedure, input }: Readonly<Record<string, unknown>>): PlaygroundSearch => ({
    ...(typeof procedure === "string" && { procedure }),
    ...(input !== undefined && { input }),
  }),
  component: lazyRouteComponent(() => import("../pages/playground.tsx"), "PlaygroundPage"),
});

interface PlaygroundSearch {
  readonly procedure?: string;
  /** What it begins with. */
  readonly input?: unknown;
}

const calls = createRoute({
  getParentRoute: () => rootRoute,
  path: "/calls",
  validateSearch: ({ filter }: Readonly<Record<string, unknown>>): { readonly filter?: string } =>
    typeof filter === "string" && filter !== "" ? { filter } : {},
  component: lazyRouteComponent(() => import("../pages/calls.tsx"), "CallsPage"),
});

const logs = createRoute({
  getParentRoute: () => rootRoute,
  path: "/logs",
  component: lazyRouteComponent(() => import("../pages/logs.tsx"), "LogsPage"),
});

const metrics = createRoute({
  getParentRoute: () => rootRoute,
  path: "/metrics",
  validateSearch: readMetricsSearch,
  component: lazyRouteComponent(() => import("../pages/metrics.tsx"), "MetricsPage"),
});

const clients = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clients",
  component: lazyRouteComponent(() => import("../pages/clients.tsx"), "ClientsPage"),
});

const access = createRoute({
  getParentRoute: () => rootRoute,
  path: "/access",
  component: lazyRouteComponent(() => import("../pages/access.tsx"), "AccessPage"),
});

const doctor = createRoute({
  getParentRoute: () => rootRoute,
  path: "/doctor",
  component: lazyRouteComponent(() => import("../pages/doctor.tsx"), "DoctorPage"),
});

const servicePage = createRoute({
  getParentRoute: () => rootRoute,
  path: "/x/$service",
  validateSearch: (search: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(search).flatMap(([name, value]) =>
        typeof value === "object" || value === undefined ? [] : [[name, String(value)]],
      ),
    ),
  component: lazyRouteComponent(() => import("../pages/service-page.tsx"), "ServicePage"),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    overview,
    services,
    service,
    contracts,
    contract,
    playground,
    calls,
    logs,
    metrics,
    clients,
    access,
    doctor,
    servicePage,
  ]),
  basepath: "/console",
  defaultPreload: "intent",
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
