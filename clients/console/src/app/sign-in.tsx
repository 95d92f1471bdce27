/** What somebody sees who is not let in: how to get a link, or a place for a token. */
import { type FormEvent, useState } from "react";
import { linkProblem, openWithToken } from "../api/session.ts";
import { Button, CodeBlock } from "../ui/parts.tsx";

export const SignIn = () => {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState(linkProblem);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void openWithToken(token.trim()).then(({ ok, message }) => (ok ? location.reload() : setProblem(message)));
  };
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 p-6">
      <h1 className="text-xl font-semibold">Sign in to this kernel</h1>
      {problem !== "" && (
        <p role="alert" className="rounded-md bg-bad-soft p-3 text-bad">
          {problem}
        </p>
      )}
      <p className="text-soft">
        This kernel has tokens. On the machine that it runs on, this prints a link that lets this browser in:
      </p>
      <CodeBlock label="Command" text="fairlead console" />
      <form onSubmit={submit} className="flex flex-col gap-2">
        <label htmlFor="token" className="text-soft">
          Or give a token of it:
        </label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          value={token}
          onChange={({ target }) => setToken(target.value)}
          className="h-9 rounded-md border border-line bg-card px-3"
        />
        <Button type="submit" tone="main" disabled={token.trim() === ""} className="self-start">
          Sign in
        </Button>
      </form>
    </main>
  );
};
