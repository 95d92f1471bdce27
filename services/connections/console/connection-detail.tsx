/** One connection: what is wanted beside what is, what failed and what fixes it, and the buttons that do. */
import { Badge, Button, Card, CopyCommand, ErrorNote, Mono, readCallError, Time, useNow } from "@fairlead/console/kit";
import { type ReactNode, useState } from "react";
import { api, type ConnectionStatus, type NumberedEvent } from "./api.ts";
import { Quarantine } from "./quarantine.tsx";
import { Timeline } from "./timeline.tsx";
import { actualText, count, signs, stepText, tones } from "./words.ts";

interface DetailProps {
  readonly connection: ConnectionStatus;
  readonly events: readonly NumberedEvent[];
  readonly mayAct: boolean;
}

export const ConnectionDetail = ({ connection, events, mayAct }: DetailProps) => {
  const { name, quarantined, filtered, unusable } = connection;
  return (
    <article aria-label={name} className="flex min-w-0 flex-col gap-5">
      <Card
        title={<Mono>{name}</Mono>}
        actions={
          <Badge tone={tones[connection.state]}>
            <span aria-hidden="true">{signs[connection.state]}</span> {connection.state}
          </Badge>
        }
      >
        <State connection={connection} />
        <Failure connection={connection} />
        <Actions connection={connection} mayAct={mayAct} />
      </Card>
      {quarantined.length > 0 && <Quarantine name={name} mayAct={mayAct} />}
      <Tools name={name} />
      {filtered.length + unusable.length > 0 && (
        <Card title="Left out">
          <ul className="flex flex-col gap-1 p-4 text-sm break-words">
            {filtered.map((tool) => (
              <li key={`filtered ${tool}`}>
                <Mono>{tool}</Mono> <span className="text-soft">by `tools.allow` or `tools.deny`</span>
              </li>
            ))}
            {unusable.map((text) => (
              <li key={`unusable ${text}`}>{text}</li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="What happened to it">
        <Timeline events={events} name={name} />
      </Card>
    </article>
  );
};

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-soft">{label}</dt>
    <dd className="tabular break-words">{children}</dd>
  </div>
);

const State = ({ connection }: { readonly connection: ConnectionStatus }) => {
  const now = useNow(500);
  const { configured, endpoint, since, era, revision, calls, progress } = connection;
  return (
    <dl className="grid gap-4 p-4 sm:grid-cols-2">
      <Fact label="Wanted">connected, {configured ? "as it is written down" : "until the kernel ends"}</Fact>
      <Fact label="Is">{actualText(connection, now)}</Fact>
      <Fact label="Leads to">
        <Mono>{endpoint}</Mono>
      </Fact>
      <Fact label="In this state">
        <Time at={since} />
      </Fact>
      <Fact label="Protocol">{revision === null ? "not agreed on yet" : `${revision} (${era})`}</Fact>
      <Fact label="Calls since it was added">{calls}</Fact>
      {progress?.output != null && (
        <Fact label="Its program wrote last">
          <Mono>{progress.output}</Mono>
        </Fact>
      )}
    </dl>
  );
};

const Failure = ({ connection: { state, lastError } }: { readonly connection: ConnectionStatus }) => {
  if (lastError === null) return null;
  const { reason, message, hint, step, at } = lastError;
  const text = (
    <>
      <p className="font-semibold break-words">
        <Mono>{reason}</Mono> {message}
      </p>
      <p className="mt-1 text-sm break-words">
        {hint !== null && <>To fix it: {hint}. </>}
        {step !== null && <>It failed while {stepText(step)}, </>}
        <Time at={at} />
      </p>
    </>
  );
  return state === "connected" ? (
    <details className="px-4 pb-4 text-sm text-soft">
      <summary className="cursor-pointer">The latest failure, over now</summary>
      <div className="mt-2">{text}</div>
    </details>
  ) : (
    <div role="alert" className="mx-4 mb-4 rounded-md bg-bad-soft p-3 text-bad">
      {text}
    </div>
  );
};

const needsLogin: readonly string[] = ["unauthorized", "forbidden", "insufficient_scope"];

const Actions = ({ connection: { name, transport, lastError, state }, mayAct }: Omit<DetailProps, "events">) => {
  const [isSure, setSure] = useState(false);
  const reconnect = api.useMutation("reconnect");
  const remove = api.useMutation("remove");
  const approve = api.useMutation("approve");
  const login = api.useMutation("beginLogin");
  const refresh = api.useRefresh();
  const done = { onSettled: () => refresh("list") };
  const why = mayAct ? undefined : "Your token may read and not act";
  const error = reconnect.error ?? remove.error ?? approve.error ?? login.error;
  const beginLogin = (): void =>
    login.mutate(
      { name, redirectUrl: `${location.origin}/console/x/connections?login=${encodeURIComponent(name)}` },
      {
        onSuccess: ({ authorizationUrl }) => {
          // It comes from the upstream: nothing but a page of the web is opened.
          if (/^https?:/.test(authorizationUrl)) location.assign(authorizationUrl);
        },
      },
    );
  return (
    <div className="flex flex-col gap-3 border-t border-line p-4">
      <div className="flex flex-wrap gap-2">
        <Button
          tone={state === "connected" ? "plain" : "main"}
          title={why}
          disabled={!mayAct || reconnect.isPending}
          onClick={() => reconnect.mutate({ name }, done)}
        >
          Reconnect
        </Button>
        {lastError?.reason === "unapproved" && (
          <Button tone="main" title={why} disabled={!mayAct} onClick={() => approve.mutate({ name }, done)}>
            Approve where it leads
          </Button>
        )}
        {transport === "http" && state !== "connected" && needsLogin.includes(lastError?.reason ?? "") && (
          <Button tone="main" title={why} disabled={!mayAct || login.isPending} onClick={beginLogin}>
            Log in
          </Button>
        )}
        <Button
          tone="danger"
          title={why}
          disabled={!mayAct || remove.isPending}
          onClick={() => (isSure ? remove.mutate({ name }, done) : setSure(true))}
          onBlur={() => setSure(false)}
        >
          {isSure ? `Really remove ${name}` : "Remove"}
        </Button>
        <CopyCommand command={`fairlead conn status ${name}`} />
      </div>
      {error !== null && <ErrorNote {...readCallError(error)} />}
    </div>
  );
};

const mostTools = 200;

const Tools = ({ name }: { readonly name: string }) => {
  const { data } = api.useQuery("tools", { connection: name });
  const tools = data?.tools ?? [];
  return (
    <Card title={`Tools: ${tools.length}`}>
      {tools.length === 0 ? (
        <p className="p-4 text-sm text-soft">It has offered none yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {tools.slice(0, mostTools).map((tool) => (
            <li key={tool.name} className="px-4 py-2">
              <Mono>{tool.name}</Mono>
              <p className="text-sm text-soft break-words">{tool.description}</p>
            </li>
          ))}
          {tools.length > mostTools && (
            <li className="px-4 py-2 text-soft">and {count(tools.length - mostTools, "tool")} more</li>
          )}
        </ul>
      )}
    </Card>
  );
};
