/** Who is let in: tokens, made, replaced and revoked; the log of their changes; and the origins whose pages may call. */
import type { KernelTypes } from "@fairlead/client/kernel";
import { type FormEvent, useId, useState } from "react";
import { queryClient, readCallError, trpcClient } from "../api/client.ts";
import { useIsAdmin, useServices, useTokenChange, useTokens, useWhoami } from "../api/kernel.ts";
import { openWithToken } from "../api/session.ts";
import { Badge, Button, Card, CodeBlock, CopyCommand, Empty, ErrorNote, Mono, PageHeader, Time } from "../ui/parts.tsx";

type TokenList = KernelTypes["listTokens"]["output"];
type TokenEntry = TokenList["tokens"][number];

/** A token that was made just now: it is shown until it is closed, and nowhere again. */
interface NewSecret {
  readonly name: string;
  readonly token: string;
}

/** It outlives the page, which is left for a moment when the first token closes the kernel. */
let shownSecret: NewSecret | undefined;

const [tries, tryEveryMs] = [30, 300];

/** With the first token this browser needs one, too: it is given that one, as soon as the kernel takes it. */
const signInWith = async ({ name, token }: NewSecret): Promise<void> => {
  for (let tried = 0; tried < tries; tried += 1) {
    // Until the kernel has seen its first token, whoever asks is let in without one.
    const { ok } = await openWithToken(token);
    const caller = ok ? await trpcClient.kernel.whoami.query({}).catch(() => undefined) : undefined;
    if (caller?.principal === name) break;
    await new Promise((resolve) => setTimeout(resolve, tryEveryMs));
  }
  await queryClient.invalidateQueries();
};

export const AccessPage = () => {
  const mayAct = useIsAdmin();
  const { data: caller } = useWhoami();
  const { data, error } = useTokens(mayAct);
  const [made, setMade] = useState(shownSecret);
  const show = (next: NewSecret | undefined): void => {
    shownSecret = next;
    setMade(next);
  };
  return (
    <>
      <PageHeader title="Access" actions={<CopyCommand command="fairlead token ls" />}>
        {caller === undefined ? "Asking…" : `You are ${caller.principal} and may ${caller.access.join(", ")}.`}
      </PageHeader>
      <div className="flex flex-col gap-5">
        {made !== undefined && <Secret {...made} onClose={() => show(undefined)} />}
        {caller !== undefined && !mayAct && (
          <Card>
            <Empty title="Tokens are shown to administrators">
              Ask one of them, or run <Mono>fairlead token ls</Mono> on the machine of the kernel.
            </Empty>
          </Card>
        )}
        {error !== null && <ErrorNote {...readCallError(error)} />}
        {data !== undefined && (
          <>
            {data.open && (
              <p className="rounded-md bg-warn-soft p-3 text-sm text-warn">
                ▲ No token was made yet: every program of this machine may do everything here. With the first one, each
                caller needs one; this browser is signed in with it.
              </p>
            )}
            <Tokens tokens={data.tokens} onMade={show} />
            <Create isFirst={data.open} onMade={show} />
            <div className="grid items-start gap-5 lg:grid-cols-2">
              <Changes changes={data.changes} />
              <Origins list={data} />
            </div>
          </>
        )}
      </div>
    </>
  );
};

const Secret = ({ name, token, onClose }: NewSecret & { readonly onClose: () => void }) => (
  <Card
    title={<>The token of {name}</>}
    className="border-accent"
    actions={<Button onClick={onClose}>I have kept it</Button>}
  >
    <div className="flex flex-col gap-2 p-4 text-sm" role="status">
      <p>
        It is shown this once, and kept nowhere. Send it as <Mono>authorization: Bearer …</Mono>; the kernel takes it
        within a second.
      </p>
      <CodeBlock text={token} label="The token" />
    </div>
  </Card>
);

const cell = "px-4 py-2";

const Tokens = ({
  tokens,
  onMade,
}: {
  readonly tokens: readonly TokenEntry[];
  readonly onMade: (made: NewSecret) => void;
}) => (
  <Card title={`Tokens: ${tokens.length}`}>
    {tokens.length === 0 ? (
      <Empty title="There is no token">
        Make one below for each program or person that calls, with as little as it needs.
      </Empty>
    ) : (
      // Scrolls on a small screen, so it can be focused and read by keyboard.
      <section className="overflow-x-auto" tabIndex={0} aria-label="Tokens">
        <table className="w-full text-left text-sm">
          <thead className="border-b border-line text-xs text-soft">
            <tr>
              {["Name", "May", "Services", "Ends", "SHA-256", ""].map((title) => (
                <th key={title} scope="col" className={`${cell} font-medium`}>
                  {title === "" ? <span className="sr-only">What to do</span> : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {tokens.map((token) => (
              <tr key={`${token.source} ${token.name} ${token.fingerprint}`}>
                <td className={`${cell} max-w-64 break-words`}>
                  <span className="font-medium">{token.name}</span>{" "}
                  {token.state === "replaced" && <Badge tone="warn">replaced</Badge>}
                  {token.source === "configuration" && <Badge>configuration</Badge>}
                </td>
                <td className={cell}>
                  <span className="flex flex-wrap gap-1">
                    {token.access.map((each) => (
                      <Badge key={each} tone={each === "admin" ? "bad" : "accent"}>
                        {each}
                      </Badge>
                    ))}
                  </span>
                </td>
                <td className={`${cell} text-soft`}>{token.services === null ? "all" : token.services.join(", ")}</td>
                <td className={`${cell} text-soft`}>{token.ends === null ? "never" : <Time at={token.ends} />}</td>
                <td className={`${cell} font-mono text-xs text-soft`}>{token.fingerprint}</td>
                <td className={`${cell} text-right`}>
                  {token.source === "file" && token.state === "current" && (
                    <Actions name={token.name} onMade={onMade} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    )}
  </Card>
);

const Actions = ({ name, onMade }: { readonly name: string; readonly onMade: (made: NewSecret) => void }) => {
  const [asks, setAsks] = useState<"rotate" | "revoke">();
  const rotate = useTokenChange("rotateToken");
  const revoke = useTokenChange("revokeToken");
  const error = rotate.error ?? revoke.error;
  const turn = (keepMinutes: number): void =>
    rotate.mutate(
      { name, keepMinutes },
      {
        onSuccess: ({ token }) => {
          setAsks(undefined);
          onMade({ name, token });
        },
      },
    );
  return (
    <span className="flex flex-col items-end gap-2">
      <span className="flex flex-wrap justify-end gap-2">
        {asks === "rotate" ? (
          <>
            <Button tone="main" onClick={() => turn(60)}>
              The old one works for an hour
            </Button>
            <Button tone="danger" onClick={() => turn(0)}>
              It has leaked: end it now
            </Button>
          </>
        ) : asks === "revoke" ? (
          <Button tone="danger" onClick={() => revoke.mutate({ name })}>
            Really revoke {name}
          </Button>
        ) : (
          <>
            <Button onClick={() => setAsks("rotate")} aria-label={`Rotate ${name}`}>
              Rotate
            </Button>
            <Button tone="danger" onClick={() => setAsks("revoke")} aria-label={`Revoke ${name}`}>
              Revoke
            </Button>
          </>
        )}
        {asks !== undefined && <Button onClick={() => setAsks(undefined)}>Leave it</Button>}
      </span>
      {error !== null && <ErrorNote {...readCallError(error)} />}
    </span>
  );
};

const rights = [
  { access: "read", about: "sees" },
  { access: "call", about: "changes what services keep" },
  { access: "admin", about: "restarts services, and makes tokens" },
] as const;

type Right = (typeof rights)[number]["access"];

const fieldClass = "h-8 w-full rounded-md border border-line bg-card px-3 text-sm";

const Create = ({ isFirst, onMade }: { readonly isFirst: boolean; readonly onMade: (made: NewSecret) => void }) => {
  const id = useId();
  const [name, setName] = useState("");
  const [access, setAccess] = useState<readonly Right[]>(isFirst ? ["read", "call", "admin"] : ["read"]);
  const [service, setService] = useState("");
  const [days, setDays] = useState("");
  const create = useTokenChange("createToken");
  const services = useServices().data?.services ?? [];
  const life = Number(days);
  const isReady = name.trim() !== "" && access.length > 0 && (days === "" || life > 0) && !create.isPending;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    create.mutate(
      {
        name: name.trim(),
        access: [...access],
        ...(service !== "" && { services: [service] }),
        ...(days !== "" && { days: life }),
      },
      {
        onSuccess: ({ token }) => {
          onMade({ name: name.trim(), token });
          setName("");
          if (isFirst) void signInWith({ name: name.trim(), token });
        },
      },
    );
  };
  return (
    <Card title="Make a token">
      <form onSubmit={send} className="flex flex-col gap-3 p-4">
        <div className="grid gap-3 sm:grid-cols-3">
          <label htmlFor={`${id}-name`} className="text-sm">
            <span className="block text-xs text-soft">Caller</span>
            <input
              id={`${id}-name`}
              value={name}
              placeholder="ci"
              onChange={({ target }) => setName(target.value)}
              className={fieldClass}
            />
          </label>
          <label htmlFor={`${id}-service`} className="text-sm">
            <span className="block text-xs text-soft">Service</span>
            <select
              id={`${id}-service`}
              value={service}
              onChange={({ target }) => setService(target.value)}
              className={fieldClass}
            >
              <option value="">all</option>
              {services.map(({ id: each }) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
          <label htmlFor={`${id}-days`} className="text-sm">
            <span className="block text-xs text-soft">Days until it ends</span>
            <input
              id={`${id}-days`}
              type="number"
              min={1}
              value={days}
              placeholder="never"
              onChange={({ target }) => setDays(target.value)}
              className={fieldClass}
            />
          </label>
        </div>
        <fieldset className="flex flex-wrap gap-4 text-sm">
          <legend className="mb-1 text-xs text-soft">It may</legend>
          {rights.map(({ access: each, about }) => (
            <label key={each} className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={access.includes(each)}
                onChange={({ target }) =>
                  setAccess((before) =>
                    rights
                      .map((right) => right.access)
                      .filter((right) => (right === each ? target.checked : before.includes(right))),
                  )
                }
              />
              <span>
                {each} <span className="text-soft">{about}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {isFirst && !access.includes("admin") && (
          <p className="text-sm text-warn">
            ▲ It would be the first token, and could make no other: only a command on this machine could.
          </p>
        )}
        {create.error !== null && <ErrorNote {...readCallError(create.error)} />}
        <Button type="submit" tone="main" className="self-start" disabled={!isReady}>
          Make it
        </Button>
      </form>
    </Card>
  );
};

const changeWords = { create: "made", rotate: "replaced", revoke: "revoked" } as const;

const Changes = ({ changes }: { readonly changes: TokenList["changes"] }) => (
  <Card title="What was changed" actions={<CopyCommand command="fairlead token log" />}>
    {changes.length === 0 ? (
      <Empty title="Nothing was changed yet">
        Each token that is made, replaced or revoked is written down, with who did it.
      </Empty>
    ) : (
      <ol className="divide-y divide-line">
        {changes.map(({ at, change, name, by, user, made }) => (
          <li key={`${at} ${change} ${name}`} className="flex items-baseline gap-3 px-4 py-2 text-sm">
            <Badge tone={change === "revoke" ? "bad" : "accent"}>{changeWords[change]}</Badge>
            <span className="min-w-0 flex-1 break-words">
              <span className="font-medium">{name}</span>{" "}
              <span className="text-soft">{by === null ? `at a terminal, by ${user}` : `by ${by}`}</span>
              {!made && <span className="text-warn"> and cut off before it was made</span>}
            </span>
            <span className="shrink-0 text-xs text-soft">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
    )}
  </Card>
);

const Origins = ({ list: { origins, hosts, file } }: { readonly list: TokenList }) => (
  <Card title="From where">
    <dl className="flex flex-col gap-3 p-4 text-sm">
      <div>
        <dt className="text-xs text-soft">Pages that may call, beside this console</dt>
        <dd className="break-words">
          {origins.length === 0
            ? "none: no page of another origin"
            : origins.map((origin) => (
                <div key={origin}>
                  <Mono>{origin}</Mono>
                </div>
              ))}
        </dd>
      </div>
      <div>
        <dt className="text-xs text-soft">Names of this kernel, beside its own address</dt>
        <dd className="break-words">{hosts.length === 0 ? "none" : hosts.join(", ")}</dd>
      </div>
      <div>
        <dt className="text-xs text-soft">File of tokens, hashes alone</dt>
        <dd className="break-words">{file === null ? "none" : <Mono>{file}</Mono>}</dd>
      </div>
    </dl>
    <p className="px-4 pb-4 text-sm text-soft">
      Origins and names are in the configuration: <Mono>origins</Mono>, <Mono>hosts</Mono>. They count from the next
      start.
    </p>
  </Card>
);
