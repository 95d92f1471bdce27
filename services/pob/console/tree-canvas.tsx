/**
 * The passive tree on a canvas, to look around in: dragged, zoomed, and clicked, or by the keyboard. It draws when something has changed, once a frame.
 */
import { memo, type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { LayoutNode, TreeLayout } from "./api.ts";
import { type Colours, onScheme, readColours } from "./colours.ts";
import { buildPaths, type TreePaths } from "./tree-paths.ts";
import {
  type CanvasSize,
  centerOn,
  fitView,
  heatSteps,
  indexNodes,
  nodeRadius,
  type View,
  zoomAt,
} from "./tree-scene.ts";

interface TreeCanvasProps {
  readonly layout: TreeLayout;
  readonly taken: ReadonlySet<number>;
  readonly added: ReadonlySet<number>;
  readonly removed: ReadonlySet<number>;
  /** What each node gains for a point; empty without a ranking. */
  readonly gains: ReadonlyMap<number, number>;
  readonly chosen: LayoutNode | undefined;
  readonly onChoose: (node: LayoutNode) => void;
}

const height = 560;
const panPixels = 60;
/** From here on names are readable. */
const namesFrom = 0.11;
const mostNames = 150;

export const TreeCanvas = memo(({ layout, taken, added, removed, gains, chosen, onChoose }: TreeCanvasProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<CanvasSize>({ width: 0, height });
  const view = useRef<View | undefined>(undefined);
  const frame = useRef<number | undefined>(undefined);
  const [hovered, setHovered] = useState<LayoutNode | undefined>(undefined);
  const paths = useMemo(
    () => buildPaths(layout, { taken, added, removed, gains }),
    [layout, taken, added, removed, gains],
  );
  const find = useMemo(() => indexNodes(layout.nodes), [layout]);
  const colours = useRef<Colours | undefined>(undefined);

  const paint = useRef((): void => {});
  paint.current = () => {
    frame.current = undefined;
    const context = canvas.current?.getContext("2d");
    if (context == null || size.width === 0) return;
    colours.current ??= readColours();
    view.current ??= fitView(layout.nodes, size);
    drawTree(context, { layout, paths, view: view.current, size, colours: colours.current, chosen, hovered });
  };
  const repaint = useCallback(() => {
    frame.current ??= requestAnimationFrame(() => paint.current());
  }, []);
  const move = useCallback(
    (next: View) => {
      view.current = next;
      repaint();
    },
    [repaint],
  );

  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (element == null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: Math.round(entry.contentRect.width), height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them changes the picture
  useEffect(repaint, [paths, size, chosen, hovered, repaint]);
  useEffect(
    () =>
      onScheme(() => {
        colours.current = undefined;
        repaint();
      }),
    [repaint],
  );
  useEffect(() => {
    // Somebody looked for it: it comes into the middle where it cannot be seen.
    const now = view.current;
    if (chosen === undefined || now === undefined || size.width === 0) return;
    const [x, y] = [chosen.x * now.scale + now.left, chosen.y * now.scale + now.top];
    if (x < 20 || y < 20 || x > size.width - 20 || y > size.height - 20 || now.scale < 0.05)
      move(centerOn(chosen, Math.max(0.16, now.scale), size));
  }, [chosen, size, move]);
  useEffect(() => {
    // React listens to wheels passively, so a page would scroll along.
    const element = canvas.current;
    const onWheel = (event: WheelEvent): void => {
      if (view.current === undefined) return;
      event.preventDefault();
      move(zoomAt(view.current, Math.exp(-event.deltaY * 0.0016), { x: event.offsetX, y: event.offsetY }));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [move]);

  const drag = useRef<{ readonly x: number; readonly y: number; moved: boolean } | undefined>(undefined);
  const at = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): { x: number; y: number } => ({
    x: offsetX,
    y: offsetY,
  });
  const pan = (x: number, y: number): void => {
    const now = view.current;
    if (now !== undefined) move({ ...now, left: now.left + x, top: now.top + y });
  };
  const middle = { x: size.width / 2, y: size.height / 2 };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => pan(panPixels, 0),
    ArrowRight: () => pan(-panPixels, 0),
    ArrowUp: () => pan(0, panPixels),
    ArrowDown: () => pan(0, -panPixels),
    "+": () => view.current !== undefined && move(zoomAt(view.current, 1.3, middle)),
    "-": () => view.current !== undefined && move(zoomAt(view.current, 1 / 1.3, middle)),
    "0": () => move(fitView(layout.nodes, size)),
  };
  return (
    <div className="relative overflow-hidden" style={{ height }}>
      <canvas
        ref={canvas}
        width={size.width * devicePixelRatio}
        height={height * devicePixelRatio}
        tabIndex={0}
        role="img"
        aria-label={`The passive tree, ${layout.nodes.length} nodes, ${taken.size} taken. Arrows move it, plus and minus zoom, 0 shows all. The search finds nodes by name.`}
        style={{ width: size.width, height, cursor: hovered === undefined ? "grab" : "pointer", touchAction: "none" }}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { ...at(event), moved: false };
        }}
        onPointerMove={(event) => {
          const point = at(event);
          const from = drag.current;
          if (from === undefined) {
            if (view.current !== undefined) setHovered(find(point, view.current));
            return;
          }
          const moved = from.moved || Math.hypot(point.x - from.x, point.y - from.y) > 3;
          if (!moved) return;
          pan(point.x - from.x, point.y - from.y);
          drag.current = { ...point, moved };
        }}
        onPointerUp={(event) => {
          const from = drag.current;
          drag.current = undefined;
          if (from?.moved === true || view.current === undefined) return;
          const node = find(at(event), view.current);
          if (node !== undefined) onChoose(node);
        }}
        onPointerLeave={() => setHovered(undefined)}
      />
    </div>
  );
});

interface Picture {
  readonly layout: TreeLayout;
  readonly paths: TreePaths;
  readonly view: View;
  readonly size: CanvasSize;
  readonly colours: Colours;
  readonly chosen: LayoutNode | undefined;
  readonly hovered: LayoutNode | undefined;
}

const drawTree = (context: CanvasRenderingContext2D, picture: Picture): void => {
  const { paths, view, size, colours, chosen, hovered } = picture;
  const ratio = devicePixelRatio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.left, ratio * view.top);
  const hair = 1 / view.scale;
  context.lineWidth = Math.max(12, hair);
  context.strokeStyle = colours.soft;
  context.globalAlpha = 0.45;
  context.stroke(paths.links);
  context.globalAlpha = 0.8;
  context.fillStyle = colours.soft;
  context.fill(paths.nodes);
  context.globalAlpha = 1;
  context.lineWidth = Math.max(26, hair * 2.5);
  context.strokeStyle = colours.accent;
  context.stroke(paths.takenLinks);
  paths.heat.forEach((path, step) => {
    context.globalAlpha = 0.3 + (0.7 * (step + 1)) / heatSteps;
    context.fillStyle = colours.warn;
    context.fill(path);
  });
  context.globalAlpha = 1;
  context.fillStyle = colours.accent;
  context.fill(paths.takenNodes);
  context.fillStyle = colours.good;
  context.fill(paths.addedNodes);
  context.fillStyle = colours.bad;
  context.fill(paths.removedNodes);
  for (const [node, colour] of [
    [hovered, colours.soft],
    [chosen, colours.text],
  ] as const) {
    if (node === undefined) continue;
    context.lineWidth = 2.5 * hair;
    context.strokeStyle = colour;
    context.beginPath();
    context.arc(node.x, node.y, nodeRadius(node.type) + 5 * hair, 0, 2 * Math.PI);
    context.stroke();
  }
  drawNames(context, picture);
};

/** Only of what can be seen, and of the important ones first. */
const drawNames = (
  context: CanvasRenderingContext2D,
  { layout, view, size, colours, chosen, hovered }: Picture,
): void => {
  const ratio = devicePixelRatio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = "12px sans-serif";
  context.textAlign = "center";
  context.lineJoin = "round";
  context.strokeStyle = colours.card;
  context.fillStyle = colours.text;
  context.lineWidth = 3;
  let drawn = 0;
  for (const node of layout.nodes) {
    const isMarked = node === chosen || node === hovered;
    const isImportant = node.type === "Notable" || node.type === "Keystone";
    if (!isMarked && (view.scale < namesFrom || !isImportant || drawn >= mostNames)) continue;
    const [x, y] = [node.x * view.scale + view.left, node.y * view.scale + view.top];
    if (x < -80 || y < -20 || x > size.width + 80 || y > size.height + 20) continue;
    drawn += 1;
    const top = y - nodeRadius(node.type) * view.scale - 6;
    context.strokeText(node.name, x, top);
    context.fillText(node.name, x, top);
  }
};
