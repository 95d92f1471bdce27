/**
 * Proves the bridge against a real Path of Building: `node --conditions=@fairlead/source test/e2e/pob-real.ts <checkout> [build.xml...]`.
 *
 * The checkout is the user's own and only read. `tiny-witch.xml`, a build of ours, is checked against numbers that were measured;
 * other builds against themselves: what is predicted must happen. Prints one line a check; exits with 1 when one fails.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import pob from "@fairlead/service-pob";

const [checkout, ...more] = process.argv.slice(2);
if (checkout === undefined) {
  process.stderr.write("usage: pob-real.ts <checkout of Path of Building> [build.xml or share code file ...]\n");
  process.exit(2);
}

const kernel = openMemoryKernel([pob], {
  env: { ...process.env, POB_LUA_ENABLED: "true", POB_FORK_PATH: checkout, POB_TIMEOUT_MS: "60000" },
});

type Fields = Readonly<Record<string, never>> & {
  readonly meta?: { readonly engine: string; readonly recovered: boolean };
};

/** Calls a procedure of the service. Answers are looked into freely: this is a script. */
const call = async (name: string, input: object = {}): Promise<Fields> => {
  const reply = await kernel.call(`pob.${name}`, input, { timeoutMs: 300_000 });
  if (reply.ok) return reply.value as Fields;
  throw Object.assign(new Error(`${name}: ${reply.error.message}`), {
    reason: reply.error.reason,
    code: reply.error.code,
  });
};

const refusal = (name: string, input: object): Promise<{ reason?: string; code?: string }> =>
  call(name, input).then(
    () => ({}),
    (error: { reason?: string; code?: string }) => error,
  );

let failures = 0;
const check = async (name: string, run: () => Promise<string | undefined>): Promise<void> => {
  const started = performance.now();
  try {
    const note = await run();
    process.stdout.write(
      `ok    ${name} (${Math.round(performance.now() - started)} ms)${note === undefined ? "" : `: ${note}`}\n`,
    );
  } catch (error) {
    failures++;
    process.stdout.write(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
};

type Stats = Readonly<Record<string, number | string>>;
const statsNow = async (): Promise<Stats> => (await call("luaGetStats")).stats ?? {};
const close = (actual: unknown, expected: number): void => {
  assert.ok(
    typeof actual === "number" && Math.abs(actual - expected) < 0.001,
    `expected ${expected}, found ${String(actual)}`,
  );
};

/** Shown, but no part of a calculation's result. */
const forDisplay = (name: string): boolean => /^Spec:|ExtraPoints|CostWarning|^SkillDPS/.test(name);
const computed = (stats: Stats): Stats =>
  Object.fromEntries(Object.entries(stats).filter(([name]) => !forDisplay(name)));

const tiny = readFileSync(new URL("tiny-witch.xml", import.meta.url), "utf8");
const load = (build_xml: string) => call("luaLoadBuild", { build_xml });
const treeNow = async () => {
  const { meta: _, ...tree } = await call("luaGetTree");
  return tree as Fields & { readonly nodes: number[] };
};

await check("starts", async () => String(await call("luaStart")));

await check("tiny-witch has the numbers that were measured", async () => {
  await load(tiny);
  const stats = await statsNow();
  close(stats.Life, 305);
  close(stats.TotalEHP, 314.2808);
  close(stats.TotalDPS, 780.4457);
  close(stats.FullDPS, 780.4457);
  const tree = await treeNow();
  await call("luaSetTree", { ...tree, nodes: [] });
  close((await statsNow()).TotalDPS, 650.3714);
  await call("luaSetTree", tree);
  assert.deepEqual(await statsNow(), stats);
  return `${Object.keys(stats).length} stats`;
});

/** A fork that speaks for itself cannot rank. */
const canRank = (await call("luaGetTree")).meta?.engine === "shim";

const bestPaths = async (): Promise<number[][]> => {
  const input = { stat: "CombinedDPS", maxPoints: 4, limit: 3 };
  const { nodes } = (await call("luaRankNodes", input)) as unknown as { nodes: { path: number[] }[] };
  return nodes.map(({ path }) => path);
};

const predicted = async (changes: object): Promise<void> => {
  const before = await statsNow();
  const answer = await call("luaCalcWith", { ...changes, limit: 2_000 });
  assert.deepEqual(computed(await statsNow()), computed(before), "predicting changed the build");
  await call("luaApply", changes);
  const after = computed(await statsNow());
  const expected: Record<string, unknown> = { ...computed(before) };
  for (const { name, new: value } of (answer.changes ?? []) as { name: string; new: unknown }[]) {
    // A fork predicts more stats than it tells when it is not asked for names.
    if (forDisplay(name) || !(name in before || name in after)) continue;
    if (value === null) delete expected[name];
    else expected[name] = value;
  }
  assert.ok((answer.changed ?? 0) > 0 || isDeepStrictEqual(after, computed(before)), "nothing was predicted");
  const wrong = [...new Set([...Object.keys(after), ...Object.keys(expected)])].filter(
    (name) => !isDeepStrictEqual(after[name], expected[name]),
  );
  assert.deepEqual(
    wrong.map((name) => `${name}: predicted ${String(expected[name])}, happened ${String(after[name])}`),
    [],
  );
  await call("luaUndo");
};

for (const [name, text] of [
  ["tiny-witch", tiny],
  ...more.map((path) => [path, readFileSync(path, "utf8").trim()]),
] as const) {
  await check(`${name}: setting the tree that was read changes nothing`, async () => {
    await load(text ?? "");
    const before = await statsNow();
    const tree = await treeNow();
    await call("luaSetTree", tree);
    assert.deepEqual(await statsNow(), before);
    return `${tree.nodes.length} nodes`;
  });

  await check(`${name}: its export computes the same`, async () => {
    await load(text ?? "");
    const before = await statsNow();
    await load(String((await call("luaExport")).code));
    assert.deepEqual(computed(await statsNow()), computed(before));
    return undefined;
  });

  await load(text ?? "");
  const tree = await treeNow();
  const paths = canRank ? await bestPaths() : [];
  const hat = "Rarity: RARE\nTest Hat\nIron Hat\nImplicits: 0\n+50 to maximum Life\n+20% to Fire Resistance";
  const edits: readonly (readonly [string, object])[] = [
    ...paths.map((path, index) => [`nodes ${index + 1}`, { addNodes: path }] as const),
    ["the newest node less", { removeNodes: tree.nodes.slice(-1) }],
    ["five nodes less", { removeNodes: tree.nodes.slice(0, 5) }],
    ["nodes more and less", { addNodes: paths[0] ?? [], removeNodes: tree.nodes.slice(-2) }],
    ["level 90", { level: 90 }],
    ["no weapon", { items: [{ slot: "Weapon 1" }] }],
    ["a helmet", { items: [{ slot: "Helmet", text: hat }] }],
    ["the first gem at level 1", { gems: [{ group: 1, gem: 1, level: 1 }] }],
    ["the first gem off", { gems: [{ group: 1, gem: 1, enabled: false }] }],
    ["a boss", { config: { enemyIsBoss: "Pinnacle" } }],
  ];
  for (const [what, changes] of edits) {
    await check(`${name}: ${what}: what was predicted happens`, async () => {
      await predicted(changes);
      return undefined;
    });
  }
}

/** What was said of changes is what `lua_calc_with` says of them. */
const agrees = async (changes: object, said: Stats): Promise<void> => {
  const answer = await call("luaCalcWith", { ...changes, fields: Object.keys(said) });
  for (const change of (answer.changes ?? []) as unknown as { name: string; new: number }[])
    assert.deepEqual(said[change.name], change.new, change.name);
};

interface BestChanges {
  readonly rows: readonly { readonly candidate: number; readonly stats: Stats; readonly problem?: string }[];
  readonly whole: boolean;
  readonly plan?: {
    readonly nodes: readonly { readonly node: number }[];
    readonly stats: Stats;
    readonly exact: boolean;
  };
}
const best = async (input: object): Promise<BestChanges> =>
  (await call("luaFindBest", input)) as unknown as BestChanges;

for (const [name, text] of canRank
  ? [["tiny-witch", tiny], ...more.map((path) => [path, readFileSync(path, "utf8").trim()])]
  : []) {
  await load(text ?? "");
  await check(`${name}: a comparison says what lua_calc_with says`, async () => {
    const candidates = [
      { level: 90 },
      { items: [{ slot: "Weapon 1" }] },
      { gems: [{ group: 1, gem: 1, level: 1 }] },
      { config: { enemyIsBoss: "Pinnacle" } },
    ];
    const notes: string[] = [];
    for (const goal of [
      { CombinedDPS: 1, Life: 1 },
      { FullDPS: 0.5, TotalEHP: 0.5 },
    ]) {
      const { rows, whole } = await best({ candidates, goal });
      for (const { candidate, stats, problem } of rows) {
        assert.equal(problem, undefined);
        await agrees(candidates[candidate - 1] ?? {}, stats);
      }
      notes.push(whole ? "in whole" : "the wanted stats alone");
    }
    return notes.join(", ");
  });
  await check(`${name}: a plan of three points says what lua_calc_with says`, async () => {
    const { plan } = await best({ points: 3, goal: { CombinedDPS: 0.7, Life: 0.3 } });
    assert.ok(plan !== undefined);
    await agrees({ addNodes: plan.nodes.map(({ node }) => node) }, plan.stats);
    return plan.exact ? "every set tried" : "the best few grown";
  });
  await check(`${name}: copies of its tree and of its sets compute the same`, async () => {
    const before = computed(await statsNow());
    for (const kind of ["tree", "items", "skills"]) {
      await call("luaApply", { sets: [{ of: kind, do: "copy", set: 1, title: "copy" }] });
      assert.deepEqual(computed(await statsNow()), before, kind);
      await call("luaUndo");
    }
    return undefined;
  });
}

await check("six bad builds are refused, and the session stays as it was", async () => {
  await load(tiny);
  const before = await statsNow();
  const bad = [
    "garbage",
    tiny.slice(0, 300),
    "<PathOfBuilding/>",
    "<Other/>",
    tiny.replace('targetVersion="3_0"', 'targetVersion="2_6"'),
    tiny.replace("3_28", "9_99"),
  ];
  for (const build_xml of bad) {
    assert.equal((await refusal("luaLoadBuild", { build_xml })).reason, "bad_build");
    assert.deepEqual(await statsNow(), before);
  }
  return undefined;
});

await check("killed in the middle of a call: that call fails, the next finds its build", async () => {
  await load(tiny);
  const before = await statsNow();
  const info = pobPid();
  const pending = canRank ? refusal("luaRankNodes", { maxPoints: 10 }) : refusal("luaLoadBuild", { build_xml: tiny });
  await pause(canRank ? 300 : 50);
  process.kill(-(await info), "SIGKILL");
  assert.equal((await pending).code, "unavailable");
  const answer = await call("luaGetStats");
  assert.deepEqual(answer.stats, before);
  assert.equal(answer.meta?.recovered, true);
  return undefined;
});

/** The process group of the only child of this script that runs Path of Building. */
async function pobPid(): Promise<number> {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").trim().split(" ");
  const found = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("luajit"));
  assert.ok(found !== undefined, "Path of Building does not run");
  return Number(found);
}

await check("fifty calls at once are all answered with their own", async () => {
  await load(tiny);
  const names = Object.keys(await statsNow()).slice(0, 50);
  const answers = await Promise.all(names.map((name) => call("luaGetStats", { fields: [name] })));
  assert.deepEqual(
    answers.map(({ stats }) => Object.keys(stats ?? {})),
    names.map((name) => [name]),
  );
  return undefined;
});

/** Least milliseconds of so many tries. */
const least = async (tries: number, work: () => Promise<unknown>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries; i++) {
    const started = performance.now();
    await work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
};

if (canRank) {
  await check("ranking is the same with one worker and with two (times shown, not judged)", async () => {
    await load(more[0] === undefined ? tiny : readFileSync(more[0], "utf8").trim());
    const answers: Fields[] = [];
    const rank = async (workers: number) =>
      least(1, async () => answers.push(await call("luaRankNodes", { maxPoints: 6, limit: 500, workers })));
    const times = { one: Number.POSITIVE_INFINITY, two: Number.POSITIVE_INFINITY };
    for (let i = 0; i < 3; i++) {
      times.one = Math.min(times.one, await rank(1));
      times.two = Math.min(times.two, await rank(2));
    }
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
    const [one, two] = [Math.round(times.one), Math.round(times.two)];
    return `${String(answers[0]?.candidates)} nodes in ${one} and ${two} ms, ${(one / two).toFixed(2)} times faster`;
  });
}

/** What an edit of tiny-witch answers: kind and, where there is one, the nearest of each notice. */
const noticesOf = async (changes: object): Promise<readonly string[]> => {
  const { notices = [] } = (await call("luaCalcWith", changes)) as { notices?: { kind: string; nearest?: string }[] };
  return notices.map(({ kind, nearest }) => (nearest === undefined ? kind : `${kind}: ${nearest}`));
};

if (canRank) {
  await check("an edit says what was not understood, and refuses what cannot be meant", async () => {
    await load(tiny.replace('level="20"', 'level="90"'));
    const wear = (text: string) => ({ items: [{ slot: "Helmet", text }] });
    const hat = "Rarity: RARE\nHat\nIron Hat\n";
    assert.deepEqual(
      await noticesOf(wear(`${hat}+50 to maximum Lfe\n30% increased Spell Damage with flowers\n+40 to maximum Life`)),
      ["unknown_line: +50 to maximum Life", "unknown_line: 30% increased Spell Damage"],
    );
    assert.deepEqual(await noticesOf(wear("Rarity: UNIQUE\nGoldrim")), ["completed"]);
    assert.deepEqual(await noticesOf(wear(`${hat}+40 to maximum Life`)), []);
    assert.ok((await noticesOf({ gems: [{ group: 1, gem: 3, name: "Melee Splash" }] })).includes("unused_support"));
    assert.deepEqual(await noticesOf({ config: { customMods: "+50 to maxmum Life" } }), [
      "unknown_line: +50 to maximum Life",
    ]);
    const refused = [
      wear("Rarity: UNIQUE\nGoldrin"),
      wear("Rarity: RARE\nHat\nIrn Hat"),
      { gems: [{ group: 1, gem: 3, name: "Fastr Casting" }] },
      { config: { enemyLevel: "abc" } },
      { config: { usePowerCharges: "yes" } },
    ];
    for (const changes of refused) assert.equal((await refusal("luaApply", changes)).reason, "bad_change");
    assert.equal((await refusal("luaCalcWith", { level: 91, fields: ["Lfe"] })).code, "invalid_argument");
  });
}

await check("a what-if of connected nodes and the stats are quick (times shown, not judged)", async () => {
  await load(tiny);
  const [path] = canRank ? await bestPaths() : [];
  const whatIf = await least(10, () => call("luaCalcWith", { addNodes: path ?? [] }));
  return `what-if ${whatIf.toFixed(1)} ms, stats ${(await least(10, () => call("luaGetStats"))).toFixed(1)} ms`;
});

await kernel.close();
process.stdout.write(failures === 0 ? "all checks passed\n" : `${failures} checks failed\n`);
process.exitCode = failures === 0 ? 0 : 1;
