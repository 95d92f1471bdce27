/**
 * A long text that is compressed once and sent with another end each time, as one gzip stream: the compressed part ends at a byte, the end follows as it
 * is, and the checksum goes on from that of the part. So the id of a request is never compressed together with what it stands beside.
 */
import { promisify } from "node:util";
import { constants, crc32, deflateRaw } from "node:zlib";

export interface PackedList {
  /** The whole stream with this end, which is at most 65,535 bytes long. */
  finish(end: Buffer): readonly Buffer[];
}

/** Deflate, no name, no time, by no system in particular. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const longestStored = 65_535;

const deflate = promisify<Buffer, object, Buffer>(deflateRaw);

/** Compresses away from the event loop. */
export const packList = (text: Buffer): Promise<PackedList> =>
  deflate(text, { finishFlush: constants.Z_SYNC_FLUSH }).then((packed) => {
    const sum = crc32(text);
    return { finish: (end) => finish({ packed, sum, length: text.length }, end) };
  });

interface PackedText {
  readonly packed: Buffer;
  readonly sum: number;
  /** Of the text. */
  readonly length: number;
}

const finish = ({ packed, sum, length }: PackedText, end: Buffer): readonly Buffer[] => {
  if (end.length > longestStored) throw new RangeError(`an end of ${end.length} bytes does not fit one block`);
  // The last block, stored: its length, the same inverted, its bytes.
  const stored = Buffer.alloc(5);
  stored[0] = 1;
  stored.writeUInt16LE(end.length, 1);
  stored.writeUInt16LE(end.length ^ 0xffff, 3);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(end, sum), 0);
  tail.writeUInt32LE((length + end.length) >>> 0, 4);
  return [head, packed, stored, end, tail];
};
