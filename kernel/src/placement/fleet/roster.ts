/**
 * Who is in the fleet, from what each has last said of itself, and who has which place of keys. A place belongs to the highest claim that was heard, however
 * long its owner has been silent: one that was paused comes back to a fleet that knows of a later claim. Pure.
 *
 * Not here: what is said (`node.ts`), and by what it comes (`nats/fleet.ts`).
 */
import type { FleetNode, FleetPlace, OwnerReport } from "./node.ts";

/** Milliseconds without a word after which a node counts as lost, and after which it is left out. */
export const lostAfterMs = 6_000;
const forgottenAfterMs = 600_000;
/** Nodes that are known at most: a stranger who is trusted by account could name any number. */
const mostNodes = 10_000;

export interface NodeStatus extends Omit<FleetNode, "state" | "owners"> {
  readonly state: FleetNode["state"] | "Lost";
  /** Milliseconds since it was last heard. */
  readonly quietMs: number;
}

interface NodeRecord {
  readonly node: FleetNode;
  readonly at: number;
}

export interface PlaceOwner {
  readonly instance: string;
  readonly name: string;
  readonly epoch: number;
  /** When it was last heard. */
  readonly at: number;
  /** True where it has said that it leaves. */
  readonly isGone: boolean;
}

export class Roster {
  readonly #heard = new Map<string, NodeRecord>();
  readonly #owners = new Map<string, PlaceOwner>();

  /** `now` is any clock of milliseconds that does not go back, the same for all calls. */
  hear(node: FleetNode, now: number): void {
    this.#heard.delete(node.instance);
    this.#heard.set(node.instance, { node, at: now });
    if (this.#heard.size > mostNodes) this.#heard.delete(this.#heard.keys().next().value ?? "");
    if (node.claim !== undefined)
      this.#claim(node.claim, { instance: node.instance, name: node.name, isGone: node.state !== "Ready" }, now);
    for (const { instance, name, quietMs, ...claim } of node.owners ?? [])
      this.#claim(claim, { instance, name, isGone: false }, now - quietMs);
  }

  #claim(
    { places, place, epoch }: FleetPlace & { readonly epoch: number },
    owner: Pick<PlaceOwner, "instance" | "name" | "isGone">,
    at: number,
  ): void {
    const key = placeKey({ places, place });
    const known = this.#owners.get(key);
    if (known !== undefined && known.instance !== owner.instance && !isLater({ ...owner, epoch }, known)) return;
    const isSame = known?.instance === owner.instance;
    // What another has heard of it does not bring it back.
    const isGone = owner.isGone || (isSame && known.isGone && at <= known.at);
    this.#owners.set(key, { ...owner, epoch, at: isSame ? Math.max(at, known.at) : at, isGone });
  }

  /** Whoever has the highest claim to it, heard or not. */
  owner(place: FleetPlace): PlaceOwner | undefined {
    return this.#owners.get(placeKey(place));
  }

  /** For others that ask who has what. */
  owners(now: number): readonly OwnerReport[] {
    return [...this.#owners].map(([key, { instance, name, epoch, at }]) => {
      const [places = 1, place = 1] = key.split("/").map(Number);
      return { places, place, instance, name, epoch, quietMs: Math.max(0, now - at) };
    });
  }

  /** By name. One that left, or has not been heard for ten minutes, is not among them. */
  list(now: number): readonly NodeStatus[] {
    for (const [instance, { at }] of this.#heard) if (now - at > forgottenAfterMs) this.#heard.delete(instance);
    return [...this.#heard.values()]
      .filter(({ node }) => node.state !== "Stopped")
      .map(({ node: { owners: _, ...node }, at }): NodeStatus => {
        const quietMs = Math.max(0, now - at);
        return { ...node, quietMs, state: quietMs > lostAfterMs ? "Lost" : node.state };
      })
      .toSorted((one, other) => one.name.localeCompare(other.name) || one.started - other.started);
  }
}

/** Of two claims to a place the one that counts: the higher, and of equal ones one that all agree on. */
export const isLater = (
  one: { readonly epoch: number; readonly instance: string },
  other: { readonly epoch: number; readonly instance: string },
): boolean => one.epoch > other.epoch || (one.epoch === other.epoch && one.instance > other.instance);

const placeKey = ({ places, place }: FleetPlace): string => `${places}/${place}`;
