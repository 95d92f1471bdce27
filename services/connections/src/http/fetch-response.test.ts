/** The bound on what may come in one piece: of a stream an event, ended by an empty line, of anything else the whole body. */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { maxPieceBytes, toResponse } from "./fetch-response.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const mebibyte = 1024 * 1024;

/** Reads so many mebibytes of the text, repeated; how many came, or why no more did. */
const read = async (type: string, text: string, mebibytes: number): Promise<number | string> => {
  const answer = new IncomingMessage(new Socket());
  answer.statusCode = 200;
  answer.headers["content-type"] = type;
  const chunk = Buffer.from(text.repeat(Math.ceil(mebibyte / text.length)));
  let left = mebibytes;
  answer._read = () => {
    left -= 1;
    answer.push(left < 0 ? null : chunk);
  };
  let came = 0;
  try {
    for await (const piece of toResponse(answer).body ?? []) came += piece.length;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return Math.floor(came / mebibyte);
};

const most = maxPieceBytes / mebibyte;
const line = `data: ${"x".repeat(1_000)}`;

it.each(["\n", "\r\n", "\r"].slice(inLongTier ? 0 : 2))(
  "a stream goes on while its events are short, lines ended by %j",
  async (end) => {
    expect(await read("text/event-stream", `${line}${end}${end}`, most + 2)).toBe(most + 2);
  },
);

it.each([
  ["text/event-stream", `${line}\n`],
  ["application/json", "\n\n"],
  ...(inLongTier ? [`${line}\r\n`, line].map((text) => ["text/event-stream", text] as const) : []),
] as const)("%s of one event or document is ended at the bound: %#", async (type, text) => {
  expect(await read(type, text, most + 2)).toBe(`an answer of more than ${maxPieceBytes} bytes`);
});
