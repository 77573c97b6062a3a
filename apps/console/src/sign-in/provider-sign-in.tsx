import { answerOf } from "@aiplatform/client";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { apiUrl, platform } from "../api/platform.ts";
import { signInAddress } from "./sign-in-address.ts";
import { signInProblemText } from "./sign-in-problems.ts";

/** A button for each identity provider that people sign in with; nothing where there is none. `to`: the page to show afterwards. */
export function ProviderSignIn({ to }: { to: string }) {
  const { data: providers = [] } = useQuery({
    queryKey: ["sign-in-providers"],
    queryFn: async () => answerOf(await platform.GET("/platform/sign-in/providers", {})),
  });
  if (providers.length === 0) return null;
  return (
    <>
      {providers.map(({ id, name }) => (
        <a key={id} className="button" data-kind="primary" href={signInAddress(apiUrl, id, to)}>
          Sign in with {name}
        </a>
      ))}
      <p className="muted">Or with an API key:</p>
    </>
  );
}

/** Why signing in with an identity provider failed, and what to do. */
export function SignInProblem({ problem }: { problem: string }) {
  const { text, remedy } = signInProblemText(problem);
  return (
    <div className="notice" data-tone="bad" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="grow">
        <p>{text}</p>
        <dl>
          <dt>What to do</dt>
          <dd>{remedy}</dd>
        </dl>
      </div>
    </div>
  );
}
