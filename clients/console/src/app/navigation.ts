/** The pages, in the order of the navigation. */
export const pages = [
  { to: "/", title: "Overview" },
  { to: "/services", title: "Services" },
  { to: "/contracts", title: "Contracts" },
  { to: "/playground", title: "Playground" },
  { to: "/calls", title: "Calls" },
  { to: "/logs", title: "Logs" },
  { to: "/metrics", title: "Metrics" },
  { to: "/access", title: "Access" },
  { to: "/clients", title: "Clients" },
  { to: "/doctor", title: "Doctor" },
] as const;
