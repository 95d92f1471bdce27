/**
 * Where this process spent its time while something ran: a profile of V8's as a flame graph in one HTML file, which needs nothing else, and the lines
 * that took the most. Pure, but for the profiler itself.
 */
import { type Profiler, Session } from "node:inspector/promises";

export interface Profile {
  /** The flame graph. */
  readonly html: string;
  /** The most expensive lines: a share of the time that the process was busy. */
  readonly lines: readonly { readonly place: string; readonly share: number }[];
}

const samplingMicros = 250;
const mostLines = 10;

/** Starts a profile; what comes back ends it. */
export const startProfile = async (): Promise<() => Promise<Profiler.Profile>> => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: samplingMicros });
  await session.post("Profiler.start");
  return async () => {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    return profile;
  };
};

/** A frame of the graph: all calls of one function from one place. */
interface Frame {
  readonly name: string;
  readonly place: string;
  /** Samples in it and what it calls. */
  total: number;
  readonly children: Map<string, Frame>;
}

/** No work: the process waited. */
const idle = new Set(["(idle)", "(root)"]);

export const readProfile = (title: string, { nodes }: Pick<Profiler.Profile, "nodes">): Profile => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const root: Frame = { name: title, place: "", total: 0, children: new Map() };
  const lines = new Map<string, number>();
  const add = (node: Profiler.ProfileNode, parent: Frame): number => {
    const { functionName, url, lineNumber } = node.callFrame;
    const isRoot = functionName === "(root)";
    const frame = isRoot ? parent : frameIn(parent, functionName || "(anonymous)", toPlace(url, lineNumber + 1));
    const own = idle.has(functionName) ? 0 : (node.hitCount ?? 0);
    for (const { line, ticks } of node.positionTicks ?? []) {
      if (url === "" || idle.has(functionName)) continue;
      const place = toPlace(url, line);
      lines.set(place, (lines.get(place) ?? 0) + ticks);
    }
    const below = (node.children ?? []).reduce((sum, id) => {
      const child = byId.get(id);
      return child === undefined ? sum : sum + add(child, frame);
    }, 0);
    if (!isRoot) frame.total += own + below;
    return own + below;
  };
  const [first] = nodes;
  root.total = first === undefined ? 0 : add(first, root);
  const busiest = [...lines].toSorted(([, a], [, b]) => b - a).slice(0, mostLines);
  return {
    html: toHtml(root),
    lines: busiest.map(([place, ticks]) => ({ place, share: root.total === 0 ? 0 : ticks / root.total })),
  };
};

const frameIn = (parent: Frame, name: string, place: string): Frame => {
  const key = `${name} ${place}`;
  const known = parent.children.get(key);
  if (known !== undefined) return known;
  const made: Frame = { name, place, total: 0, children: new Map() };
  parent.children.set(key, made);
  return made;
};

const toPlace = (url: string, line: number): string =>
  url === "" ? "" : `${url.startsWith("file://") ? decodeURIComponent(url.slice("file://".length)) : url}:${line}`;

/** Frames below this share of the whole are left out. */
const narrowest = 0.002;
const deepest = 120;

const toHtml = (root: Frame): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(root.name)}</title>
<style>
body { font: 12px system-ui, sans-serif; margin: 1rem; }
.row { display: flex; }
.frame { box-sizing: border-box; min-width: 0; }
.name { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; padding: 1px 3px; border: 1px solid #fff; border-radius: 3px; }
</style>
<h1>${escaped(root.name)}</h1>
<p>${root.total} samples in which the process was busy. The wider, the more time; below a frame is what it called. Hold the pointer over one for its place.</p>
${toBox(root, root.total, 0)}
</html>
`;

const toBox = (frame: Frame, whole: number, depth: number): string => {
  const children = [...frame.children.values()]
    .filter(({ total }) => depth < deepest && total >= whole * narrowest && total > 0)
    .toSorted((a, b) => b.total - a.total)
    .map((child) => {
      const width = ((child.total / Math.max(1, frame.total)) * 100).toFixed(2);
      return `<div class="frame" style="width:${width}%">${toBox(child, whole, depth + 1)}</div>`;
    });
  const share = whole === 0 ? "0" : ((frame.total / whole) * 100).toFixed(1);
  const words = escaped(`${frame.name} ${share} %\n${frame.place}`);
  const colour = colours[depth % colours.length] ?? "";
  const name = `<div class="name" style="background:${colour}" title="${words}">${escaped(frame.name)}</div>`;
  return children.length === 0 ? name : `${name}<div class="row">${children.join("")}</div>`;
};

const colours = ["#fbd38d", "#fbb6a0", "#f9e79f"];

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
