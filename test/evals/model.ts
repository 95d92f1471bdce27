/** Asks a model by the Messages API, a real one or the stand-in. A busy one (429, 500 and more) is asked again, a few times. */
import { setTimeout as wait } from "node:timers/promises";
import type { ModelReply, ModelRequest } from "./messages.ts";

export interface ModelAddress {
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

const mostTries = 5;
const longestWaitMs = 60_000;

export const askModel = async (
  { url, key, model }: ModelAddress,
  request: Omit<ModelRequest, "model">,
): Promise<ModelReply> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ model, ...request }),
    });
    const text = await response.text();
    // The API's word is taken for the shape of its answers.
    if (response.ok) return JSON.parse(text) as ModelReply;
    const isBusy = response.status === 429 || response.status >= 500;
    if (!isBusy || attempt >= mostTries)
      throw new Error(`the model's API answers ${response.status}: ${text.slice(0, 500)}`);
    await wait(pause(response.headers.get("retry-after"), attempt));
  }
};

/** Milliseconds: what the API asks for, in seconds, else twice as long each time. */
const pause = (retryAfter: string | null, attempt: number): number => {
  const asked = retryAfter === null ? Number.NaN : Number(retryAfter) * 1_000;
  return Math.min(longestWaitMs, Number.isFinite(asked) ? asked : 500 * 2 ** attempt);
};
