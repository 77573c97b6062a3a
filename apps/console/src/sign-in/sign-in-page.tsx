import { getRouteApi, Navigate } from "@tanstack/react-router";
import { useState } from "react";
import { consolePath } from "../api/console-path.ts";
import { useSession, useSignIn } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { TextField } from "../ui/field.tsx";
import { ProviderSignIn, SignInProblem } from "./provider-sign-in.tsx";
import { takeSignInCode } from "./sign-in-code.ts";

const route = getRouteApi("/sign-in");

/** Read once, when the console starts: the code leaves the address before anything else happens. */
const signInCode = takeSignInCode(location, history);

/** Opens a session: with a one-time link after a click, with an identity provider, or with an API key. Then it leads to the page that was asked for. */
export function SignInPage() {
  const { to = "/", problem } = route.useSearch();
  const { data: session } = useSession();
  const [isCodeUsed, setIsCodeUsed] = useState(signInCode === undefined);
  if (session) return <Navigate to="/" href={to} replace />;
  return (
    <div className="sign-in">
      <main className="sign-in-card" id="content">
        <div className="row">
          <img src={`${consolePath}icon.svg`} alt="" width="28" height="28" />
          <h1>Sign in</h1>
        </div>
        {signInCode !== undefined && !isCodeUsed ? (
          <CodeSignIn code={signInCode} onOther={() => setIsCodeUsed(true)} />
        ) : (
          <>
            {problem !== undefined && <SignInProblem problem={problem} />}
            <ProviderSignIn to={to} />
            <KeySignIn />
          </>
        )}
      </main>
    </div>
  );
}

function CodeSignIn({ code, onOther }: { code: string; onOther: () => void }) {
  const signIn = useSignIn();
  return (
    <>
      <p>You opened a one-time sign-in link. It signs this browser in, once.</p>
      {signIn.error && <ErrorNotice error={signIn.error} />}
      <div className="row">
        <Button kind="primary" isPending={signIn.isPending} onClick={() => signIn.mutate(code)}>
          Continue
        </Button>
        <Button kind="quiet" onClick={onOther}>
          Use an API key
        </Button>
      </div>
    </>
  );
}

function KeySignIn() {
  const signIn = useSignIn();
  const [key, setKey] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate(key.trim());
      }}
    >
      <TextField
        label="API key"
        type="password"
        value={key}
        onChange={setKey}
        isRequired
        hint="The browser keeps a session cookie and not the key. You may do here what the key may do."
      />
      {signIn.error && <ErrorNotice error={signIn.error} />}
      <div>
        <Button kind="primary" type="submit" isPending={signIn.isPending}>
          Sign in
        </Button>
      </div>
    </form>
  );
}
