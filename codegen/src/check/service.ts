/**
 * Judges one contract: words, names, routes, policy and hints; its schemas are judged in `schema`.
 *
 * Not here: what only shows between contracts (`project`).
 */
import { isCode, type Limits, type Policy, type RunPolicy } from "@fairlead/contracts";
import { type Diagnostic, type DiagnosticCode, diagnostic } from "../model/diagnostics.ts";
import type { ErrorModel, ProcedureModel, ServiceModel } from "../model/model.ts";
import { buildTool, longestDescription } from "../model/tool.ts";
import { idRefusal, memberRefusal } from "../names/reserved.ts";
import { checkPrompts } from "./prompt.ts";
import { checkQuestions } from "./question.ts";
import { checkResources } from "./resource.ts";
import { checkInput, checkOutput } from "./schema.ts";
import { checkVerbs } from "./verb.ts";

/** What MCP clients show a tool under, together with the server's name; they cut off or refuse longer ones. */
const longestToolPath = 60;
/** Name of the server behind `/mcp`; the ones behind `/mcp/<service>` are called like the service. */
const serverName = "fairlead";

const semver = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const route = /^(?:\/[A-Za-z0-9._~-]+)+$/;

const blank = (text: unknown): boolean => typeof text !== "string" || text.trim() === "";

export const checkService = (service: ServiceModel, builtIn: boolean): readonly Diagnostic[] => {
  const at = { source: service.source, where: service.id };
  const found: Diagnostic[] = [];
  if (!/^[a-z][a-z0-9]{0,31}$/.test(service.id)) {
    found.push(
      diagnostic("contract_id_invalid", at, {
        message: `the id ${JSON.stringify(service.id)} is not 1 to 32 lower-case letters and digits, starting with a letter`,
        fix: "rename it, like `rules`",
      }),
    );
  }
  const reserved = idRefusal(service.id, builtIn);
  if (reserved !== undefined) {
    found.push(
      diagnostic("contract_id_reserved", at, {
        message: `no contract can have the id \`${service.id}\`: ${reserved}`,
        fix: "choose another id",
      }),
    );
  }
  if (!semver.test(service.version)) {
    found.push(
      diagnostic("contract_version_invalid", at, {
        message: `the version ${JSON.stringify(service.version)} is not a semantic version`,
        fix: "write three numbers, like `0.1.0`",
      }),
    );
  }
  if (blank(service.summary)) {
    found.push(
      diagnostic("summary_missing", at, {
        message: "the contract has no summary",
        fix: "say in one sentence what it is for",
      }),
    );
  }
  // A path and a tool's name are made of the id where the contract gives none.
  const hasId = !found.some(({ code }) => code === "contract_id_invalid");
  return [
    ...found,
    ...service.procedures.flatMap((procedure) => {
      const names = checkName(procedure, service.source);
      const isNamed = hasId && !names.some(({ code }) => code === "procedure_name_invalid");
      const others = checkProcedure(procedure, service.source);
      return [...names, ...(isNamed ? others : others.filter(({ code }) => !derivedCodes.includes(code)))];
    }),
    ...checkVerbs(service),
    ...checkPrompts(service),
    ...checkResources(service),
  ];
};

/** What follows from a name that is none, so that it is not said once more. */
const derivedCodes: readonly DiagnosticCode[] = ["route_invalid", "tool_name_invalid", "tool_name_too_long"];

const checkName = (procedure: ProcedureModel, source: string): readonly Diagnostic[] => {
  const at = { source, where: procedure.fullName };
  const found: Diagnostic[] = [];
  const { name } = procedure;
  if (!/^[a-z][A-Za-z0-9]{0,39}$/.test(name)) {
    found.push(
      diagnostic("procedure_name_invalid", at, {
        message: `the name ${JSON.stringify(name)} is not 1 to 40 letters and digits in camel case`,
        fix: "name it like `resolveAttack`",
      }),
    );
  }
  const reserved = memberRefusal(name);
  if (reserved !== undefined) {
    found.push(
      diagnostic("procedure_name_reserved", at, {
        message: `no procedure can be named \`${name}\`: ${reserved}`,
        fix: "choose another name, like `importBuild`",
      }),
    );
  }
  return found;
};

const checkProcedure = (procedure: ProcedureModel, source: string): readonly Diagnostic[] => {
  // All else is judged where it is written, under the new name.
  if (procedure.renamedTo !== undefined) return checkTool(procedure, source);
  const at = { source, where: procedure.fullName };
  const found: Diagnostic[] = [];
  if (blank(procedure.summary)) {
    found.push(
      diagnostic("summary_missing", at, {
        message: "the procedure has no summary, which is what models and people choose it by",
        fix: "say in one sentence what it does",
      }),
    );
  }
  if (!route.test(procedure.path)) {
    found.push(
      diagnostic("route_invalid", at, {
        message: `the HTTP path ${JSON.stringify(procedure.path)} has parameters, empty parts or letters that need escaping`,
        fix: "give a plain path, like `/dice/roll`, or leave `http` out",
      }),
    );
  }
  for (const example of procedure.examples) {
    const [first] = example.issues;
    if (first !== undefined) {
      found.push(
        diagnostic(
          "example_invalid",
          { source, where: `${procedure.fullName} example ${JSON.stringify(example.summary)}` },
          {
            message: `its input does not parse: \`${first.path}\` expects ${first.expected}`,
            fix: first.fix,
          },
        ),
      );
    }
  }
  return [
    ...found,
    ...checkTool(procedure, source),
    ...procedure.errors.flatMap((error) =>
      checkError(error, { source, where: `${procedure.fullName} error ${error.reason}` }),
    ),
    ...checkHints(procedure, source),
    ...checkPolicy(procedure, source),
    ...checkInput(procedure, source),
    ...checkQuestions(procedure, source),
    ...checkOutput(procedure.output, { source, where: `${procedure.fullName} output` }),
    ...procedure.errors.flatMap(({ reason, data }) =>
      data === undefined ? [] : checkOutput(data, { source, where: `${procedure.fullName} error ${reason}` }),
    ),
  ];
};

const checkTool = (procedure: ProcedureModel, source: string): readonly Diagnostic[] => {
  const at = { source, where: procedure.fullName };
  if (procedure.tool === false) return [];
  if (procedure.kind === "subscription") {
    return [
      diagnostic("tool_subscription", at, {
        message: "a subscription has no end and can be no tool",
        fix: "remove `tool`, or offer a query that returns what happened so far",
      }),
    ];
  }
  const found: Diagnostic[] = [];
  if (!/^[a-z0-9_]{1,40}$/.test(procedure.tool)) {
    found.push(
      diagnostic("tool_name_invalid", at, {
        message: `the tool name ${JSON.stringify(procedure.tool)} is not 1 to 40 of a to z, 0 to 9 and _`,
        fix: "set `tool` to a name that is, or to false",
      }),
    );
  }
  const server = Math.max(serverName.length, procedure.service.length);
  if (server + procedure.tool.length > longestToolPath) {
    found.push(
      diagnostic("tool_name_too_long", at, {
        message: `the tool name and its server's come to ${server + procedure.tool.length} letters, over ${longestToolPath}`,
        fix: "set `tool` to a shorter name",
      }),
    );
  }
  const length = buildTool(procedure)?.tool.description.length ?? 0;
  if (length > longestDescription) {
    found.push(
      diagnostic("description_too_long", at, {
        message: `summary and description come to ${length} characters, over the ${longestDescription} that model vendors take`,
        fix: "shorten the description",
      }),
    );
  }
  return [...found, ...checkFields(procedure, at)];
};

/** The fields that a tool list shows are of the input, and a required one is among them. */
const checkFields = (
  { toolView: { fields }, input }: ProcedureModel,
  at: { readonly source: string; readonly where: string },
): readonly Diagnostic[] => {
  if (fields === undefined) return [];
  const { properties = {}, required = [] } = input.json;
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(properties, name));
  const missing = required.filter((name) => !Object.hasOwn(fields, name));
  const refuse = (message: string, fix: string) => diagnostic("tool_field_invalid", at, { message, fix });
  return [
    ...unknown.map((name) => refuse(`the input has no field \`${name}\``, "take it out of `tool.fields`")),
    ...missing.map((name) =>
      refuse(`tool lists do not show \`${name}\`, which is required`, "add it to `tool.fields`"),
    ),
  ];
};

const checkError = (
  error: ErrorModel,
  at: { readonly source: string; readonly where: string },
): readonly Diagnostic[] => {
  const found: Diagnostic[] = [];
  const refused = reasonRefusal(error.reason);
  if (refused !== undefined) {
    found.push(
      diagnostic("error_reason_invalid", at, {
        message: refused,
        fix: "name what is wrong, like `unknown_target`",
      }),
    );
  }
  if (!isCode(error.code)) {
    found.push(
      diagnostic("error_code_unknown", at, {
        message: `the code ${JSON.stringify(error.code)} is none of the sixteen`,
        fix: "take one from the table of codes, like `not_found`",
      }),
    );
  }
  if (blank(error.when)) {
    found.push(
      diagnostic("error_when_missing", at, {
        message: "the error does not say when it happens",
        fix: "write `when`, like `no creature has that name`",
      }),
    );
  }
  return found;
};

const reasonRefusal = (reason: string): string | undefined => {
  if (isCode(reason)) return `\`${reason}\` is an infrastructure code and can be no reason of your own`;
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(reason))
    return `the reason ${JSON.stringify(reason)} is not 1 to 40 of a to z, 0 to 9 and _`;
  const reserved = memberRefusal(reason);
  return reserved === undefined ? undefined : `no error can have the reason \`${reason}\`: ${reserved}`;
};

const checkHints = (procedure: ProcedureModel, source: string): readonly Diagnostic[] => {
  const at = { source, where: procedure.fullName };
  if (procedure.kind !== "mutation" && procedure.hints.destructive === true) {
    return [
      diagnostic("hints_contradiction", at, {
        message: `a ${procedure.kind} only reads and cannot be destructive`,
        fix: "make it a mutation, or remove the hint",
      }),
    ];
  }
  if (procedure.kind === "mutation" && procedure.retry === "safe") {
    return [
      diagnostic("hints_contradiction", at, {
        message: "a mutation changes something and is never `safe` to repeat",
        fix: "make it a query, or say `idempotent`, `keyed` or `unsafe`",
      }),
    ];
  }
  return [];
};

const checkPolicy = (procedure: ProcedureModel, source: string): readonly Diagnostic[] => {
  const at = { source, where: `${procedure.fullName} policy` };
  const unsafe =
    procedure.retry === "unsafe" && procedure.policy.retry !== undefined
      ? [
          diagnostic("policy_retry_unsafe", at, {
            message: "repeating an unsafe procedure would have its effect twice",
            fix: "remove `policy.retry`, or make the procedure idempotent or keyed",
          }),
        ]
      : [];
  const { retry, run } = procedure;
  const repeats = run !== undefined && ((run.attempts ?? 1) > 1 || run.onRestart === "resume");
  const unsafeRun =
    repeats && (retry === "unsafe" || retry === "keyed")
      ? [
          diagnostic(
            "run_repeats_unsafe",
            { source, where: `${procedure.fullName} run` },
            {
              message: `to repeat an attempt of ${retry === "keyed" ? "a keyed" : "an unsafe"} procedure would have its effect twice`,
              fix: "remove `attempts` and `onRestart`, or make the procedure idempotent",
            },
          ),
        ]
      : [];
  const outside = [...policyBounds(procedure.policy), ...(run === undefined ? [] : runBounds(run))]
    .filter(
      ([, value, least, most]) => value !== undefined && !(Number.isInteger(value) && value >= least && value <= most),
    )
    .map(([name, value, least, most]) =>
      diagnostic("policy_out_of_range", at, {
        message: `\`${name}\` is ${value}`,
        fix: `give a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? " up" : ` to ${most}`}`,
      }),
    );
  return [...unsafe, ...unsafeRun, ...outside];
};

/** Timers take no more milliseconds than 2^31 - 1, and the kernel waits some more after the end of a call. */
const longestRunMs = 2_000_000_000;

const runBounds = ({ attempts, baseMs, capMs, deadlineMs, concurrency }: RunPolicy): readonly PolicyBound[] => [
  ["run.attempts", attempts, 1, 100],
  ["run.baseMs", baseMs, 1, longestRunMs],
  ["run.capMs", capMs, baseMs ?? 1, longestRunMs],
  ["run.deadlineMs", deadlineMs, 1, longestRunMs],
  ["run.concurrency", concurrency, 1, Number.MAX_SAFE_INTEGER],
];

type PolicyBound = readonly [name: string, value: number | undefined, least: number, most: number];

/** Parsers and validators recurse: deeper values would overflow their stack. */
const deepest = 500;

const policyBounds = ({
  deadlineMs,
  concurrency,
  queue,
  streams,
  retry,
  breaker,
  limits,
  outputLimits,
}: Policy): readonly PolicyBound[] => {
  const any = Number.MAX_SAFE_INTEGER;
  const sizes: readonly (keyof Limits)[] = ["bytes", "keys", "items", "string"];
  return [
    ["deadlineMs", deadlineMs, 1, 2_147_483_647],
    ["concurrency", concurrency, 1, any],
    ["queue", queue, 0, any],
    ["streams", streams, 1, any],
    ["retry.attempts", retry?.attempts, 2, 5],
    ["retry.baseMs", retry?.baseMs, 1, any],
    ["retry.capMs", retry?.capMs, retry?.baseMs ?? 1, any],
    ["breaker.failures", breaker?.failures, 1, any],
    ["breaker.openMs", breaker?.openMs, 1, any],
    ["limits.depth", limits?.depth, 1, deepest],
    ["outputLimits.bytes", outputLimits?.bytes, 1, any],
    ["outputLimits.depth", outputLimits?.depth, 1, deepest],
    ...sizes.map((size): PolicyBound => [`limits.${size}`, limits?.[size], 1, any]),
  ];
};
