/**
 * The simulated game's memory: bytes at addresses, in which entities, life and camera are laid out as their structs say. The
 * inspector reads structs back out of it.
 */
import { didYouMean, fault } from "@fairlead/linq";
import { measureType, readType } from "../host/layout.ts";
import type { Registry } from "../host/registry.ts";
import { gameObjectClass, pure } from "./game-object.ts";

export const baseAddress = 0x1_4000_0000n;
export const imageSize = 1_048_576;
const atOnce = 4_096;
const readable = `there are ${imageSize} bytes from ${baseAddress} on: Memory.BaseAddress and Memory.Size`;

/** Bytes of a number, an enum or a struct. Throws for what has no layout. */
const typeSize = (type: string, registry: Registry): number => {
  const measured = measureType(type, registry);
  if (measured !== undefined) return measured.size;
  if (registry.find(type) !== undefined)
    throw fault(
      "unknown_type",
      `${type} has no layout`,
      "structs, enums and numbers have: explore `type:GameOffsets.*`",
    );
  const withLayout = [...registry.all()].filter(({ declaration }) => declaration.kind !== "class");
  const names = withLayout.map(({ definition }) => definition.name);
  throw fault("unknown_type", `There is no type '${type}'`, didYouMean(type, names));
};

export class MemoryImage {
  readonly #view = new DataView(new ArrayBuffer(imageSize));
  #next = 64;

  /** Room for so many bytes; gives its address. Starts again when it is full, which a world of our size never is. */
  allocate(bytes: number): bigint {
    if (this.#next + bytes > imageSize) this.#next = 64;
    const at = this.#next;
    this.#next += Math.ceil(bytes / 16) * 16;
    return baseAddress + BigInt(at);
  }

  int32(address: bigint, value: number): void {
    this.#view.setInt32(this.#offset(address), value, true);
  }

  uint32(address: bigint, value: number): void {
    this.#view.setUint32(this.#offset(address), value, true);
  }

  uint16(address: bigint, value: number): void {
    this.#view.setUint16(this.#offset(address), value, true);
  }

  int64(address: bigint, value: bigint): void {
    this.#view.setBigInt64(this.#offset(address), value, true);
  }

  single(address: bigint, value: number): void {
    this.#view.setFloat32(this.#offset(address), value, true);
  }

  /** A number, an enum or a struct at an address. Throws for what is none of them, or not all in the image. */
  read(type: string, address: bigint, registry: Registry): unknown {
    typeSize(type, registry);
    const found = this.#readAt(type, this.#offset(address), registry);
    if (found !== null) return found;
    throw fault("out_of_range", `There is no ${type} in memory at ${address}`, readable);
  }

  #readAt(type: string, offset: number, registry: Registry): unknown {
    try {
      return readType(type, registry, { view: this.#view, offset });
    } catch {
      return null;
    }
  }

  /** Throws for more than may be read at once, or not all in the image. */
  bytes(address: bigint, count: number): readonly number[] {
    const offset = this.#offset(address);
    if (offset < 0 || count < 0 || offset + count > imageSize)
      throw fault("out_of_range", `There are no ${count} bytes in memory at ${address}`, readable);
    if (count > atOnce)
      throw fault(
        "out_of_range",
        `${count} bytes are too many at once`,
        `read at most ${atOnce}, then go on behind them`,
      );
    return [...new Uint8Array(this.#view.buffer, offset, count)];
  }

  #offset(address: bigint): number {
    return Number(address - baseAddress);
  }
}

/** Declares `IMemory` over an image. The registry is set when it exists. */
export const memoryClass = (image: MemoryImage, registry: () => Registry): ReturnType<typeof gameObjectClass> =>
  gameObjectClass(
    "ExileCore.Shared.Interfaces.IMemory",
    { BaseAddress: "Int64", Size: "Int32", ProcessName: "String" },
    {
      kind: "interface",
      display: () => "IMemory",
      methods: [
        {
          name: "Read",
          typeParameters: ["T"],
          parameters: [{ name: "address", type: "Int64" }],
          returns: "T",
          pure: (_, [type = ""], [address]) =>
            typeof address === "bigint" ? image.read(type, address, registry()) : null,
        },
        pure("ReadBytes", "List<Byte>", { address: "Int64", count: "Int32" }, (_, [address, count]) =>
          typeof address === "bigint" && typeof count === "number" ? image.bytes(address, count) : null,
        ),
        pure("SizeOf", "Int32", { type: "String" }, (_, [type]) =>
          typeof type === "string" ? typeSize(type, registry()) : null,
        ),
      ],
    },
  );
