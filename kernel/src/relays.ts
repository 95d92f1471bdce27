/**
 * Tools that services find while they run, as procedures of their own names: `connections.holler__ping` is a call of
 * `connections.callTool` with `{ tool: "holler__ping", arguments }`. All transports and dispatch look here, so that each such tool has
 * every way in that a procedure has.
 *
 * Not here: where the tools come from (the service's `relay`), and their calls (dispatch, as any others).
 */
import type { Prepared } from "./dispatch/prepared.ts";
import type { ToolEntry } from "./manifest.ts";
import type { Slot } from "./slot.ts";

/** A name that leads to another procedure. */
export interface Relayed {
  /** The procedure that takes the call. */
  readonly through: Prepared;
  /** Name of the tool, for that procedure. */
  readonly tool: string;
  readonly definition: ToolEntry["tool"];
}

export class Relays {
  readonly #slots: ReadonlyMap<string, Slot>;
  readonly #procedures: ReadonlyMap<string, Prepared>;

  constructor(slots: ReadonlyMap<string, Slot>, procedures: ReadonlyMap<string, Prepared>) {
    this.#slots = slots;
    this.#procedures = procedures;
  }

  /** What a full name leads to, when no procedure has it. */
  find(name: string): Relayed | undefined {
    const dot = name.indexOf(".");
    const slot = this.#slots.get(name.slice(0, dot));
    const relay = slot?.running?.relay;
    const definition = relay?.find(name.slice(dot + 1));
    if (slot === undefined || relay === undefined || definition === undefined) return undefined;
    const through = this.#procedures.get(`${slot.id}.${relay.through}`);
    return through === undefined ? undefined : { through, tool: definition.name, definition };
  }

  /** All of them, by service, each with the full name it is called by. */
  list(): readonly ToolEntry[] {
    return [...this.#slots.values()].flatMap(({ id, running }) =>
      (running?.relay?.list() ?? []).map((tool) => ({
        procedure: `${id}.${tool.name}`,
        wrapped: false,
        passed: true as const,
        tool,
      })),
    );
  }

  /** Calls back when the list has changed, or may have. */
  onChange(listener: () => void): () => void {
    const leaves = [...this.#slots.values()].map((slot) => slot.onRelayChange(listener));
    return () => {
      for (const leave of leaves) leave();
    };
  }
}
