/** The phases of a session, drawn: where it is, which way it came, and how often each way was taken. */
import type { SessionLine, SessionPhase } from "./api.ts";
import { findNode, nodes, type Passage, passages, phaseTitle, size, ways } from "./phase-graph.ts";

interface DiagramProps {
  readonly phase: SessionPhase;
  readonly lines: readonly SessionLine[];
  /** Position in the log that is shown. */
  readonly at: number;
}

export const PhaseDiagram = ({ phase, lines, at }: DiagramProps) => {
  const taken = passages(lines, at);
  const find = (from: string, to: string): Passage | undefined =>
    taken.find((each) => each.from === from && each.to === to);
  const visited = new Set(taken.flatMap(({ from, to }) => [from, to]));
  const others = taken.filter(({ from, to }) => !ways.some((way) => way.from === from && way.to === to));
  return (
    // Scrolls on a small screen, so it can be focused and read by keyboard.
    <section className="overflow-x-auto p-2" tabIndex={0} aria-label="Phases">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`It is in ${phaseTitle(phase)}. It was in ${[...visited].map(phaseTitle).join(", ") || "no other phase"}.`}
        style={{ minWidth: "46rem", width: "100%" }}
      >
        <defs>
          {Object.entries(colors).map(([name, color]) => (
            <marker
              key={name}
              id={`arrow-${name}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0 L8 4 L0 8 Z" fill={color} />
            </marker>
          ))}
        </defs>
        {ways.map(({ from, to, path }) => (
          <Way key={path} path={path} passage={find(from, to)} />
        ))}
        {others.map((passage) => (
          <Way key={`${passage.from} ${passage.to}`} path={straight(passage)} passage={passage} />
        ))}
        {nodes.map((node) => (
          <Node
            key={node.phase}
            {...node}
            look={node.phase === phase ? "now" : visited.has(node.phase) ? "was" : "not"}
          />
        ))}
      </svg>
    </section>
  );
};

const colors = {
  now: "var(--color-accent)",
  was: "var(--color-soft)",
  not: "var(--color-line)",
} as const;

const Way = ({ path, passage }: { readonly path: string; readonly passage: Passage | undefined }) => {
  const look = passage === undefined ? "not" : passage.isLast ? "now" : "was";
  return (
    <path
      d={path}
      fill="none"
      stroke={colors[look]}
      strokeWidth={look === "now" ? 2.5 : 1.5}
      markerEnd={`url(#arrow-${look})`}
    >
      {passage !== undefined && (
        <title>
          {phaseTitle(passage.from)} to {phaseTitle(passage.to)},{" "}
          {passage.times === 1 ? "once" : `${passage.times} times`}
        </title>
      )}
    </path>
  );
};

/** From the lower edge of one to the upper edge of the other. */
const straight = ({ from, to }: Passage): string => {
  const [start, end] = [nodes.find(({ phase }) => phase === from), nodes.find(({ phase }) => phase === to)];
  if (start === undefined || end === undefined) return "";
  const half = size.nodeHeight / 2;
  return `M${start.x} ${start.y + half} C${start.x} ${end.y - 55} ${end.x} ${start.y + 75} ${end.x} ${end.y - half - 2}`;
};

interface NodeProps {
  readonly phase: SessionPhase;
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly look: "now" | "was" | "not";
}

const Node = ({ phase, title, x, y, width, look }: NodeProps) => {
  const isEnd = y > 230;
  const isBad = isEnd && phase !== "DONE";
  const fill =
    look === "now"
      ? `var(--color-${isBad ? "bad" : "accent"})`
      : look === "was"
        ? "var(--color-accent-soft)"
        : "var(--color-card)";
  const text =
    look === "now"
      ? isBad
        ? "var(--color-card)"
        : "var(--color-on-accent)"
      : look === "was"
        ? "var(--color-accent)"
        : "var(--color-soft)";
  const stroke = look === "not" ? "var(--color-line)" : look === "now" ? fill : "var(--color-accent)";
  return (
    <g>
      <rect
        x={x - width / 2}
        y={y - size.nodeHeight / 2}
        width={width}
        height={size.nodeHeight}
        rx={isEnd ? size.nodeHeight / 2 : 8}
        fill={fill}
        stroke={stroke}
        strokeWidth="1.5"
      />
      <text x={x} y={y + 5} textAnchor="middle" fontSize="14.5" fontWeight={look === "now" ? 700 : 500} fill={text}>
        {findNode(phase)?.title ?? title}
      </text>
    </g>
  );
};
