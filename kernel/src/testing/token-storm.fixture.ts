/** For tests only: a process that changes tokens of its own names, and says on stdout what it tries and what is done. `token-storm.ts` starts it. */
import { readSync, writeSync } from "node:fs";
import { replaced, sha256, type Token } from "../config/tokens/token.ts";
import { changeTokens } from "../config/tokens/token-changes.ts";

const [, , path = "", own = "", count = "1", seed = "1"] = process.argv;
let state = Number(seed);
/** A small generator with a seed (Lehmer). */
const random = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const say = (word: string, name: string, digest: string): void => void writeSync(1, `${word} ${name} ${digest}\n`);
const token = (name: string, digest: string): Token => ({
  name,
  sha256: digest,
  access: ["read"],
  perSecond: 1,
  concurrent: 1,
});
const mine = new Set<string>();

// All begin at once.
writeSync(1, "ready\n");
readSync(0, Buffer.alloc(1));

for (let at = 0; at < Number(count); at += 1) {
  const name = `${own}-${Math.floor(random() * 3)}`;
  const digest = sha256(`${name} ${at} ${seed}`);
  if (!mine.has(name)) {
    say("try", name, digest);
    changeTokens(path, { change: "create", name, token: digest, apply: (all) => [...all, token(name, digest)] });
    mine.add(name);
    say("ok", name, digest);
  } else if (random() < 0.5) {
    say("try", name, "none");
    changeTokens(path, { change: "revoke", name, apply: (all) => all.filter((each) => each.name !== name) });
    mine.delete(name);
    say("ok", name, "none");
  } else {
    say("try", name, digest);
    const rotate = (all: readonly Token[]) => replaced(all, name, { sha256: digest, until: Date.now() }) ?? all;
    changeTokens(path, { change: "rotate", name, token: digest, apply: rotate });
    say("ok", name, digest);
  }
}
