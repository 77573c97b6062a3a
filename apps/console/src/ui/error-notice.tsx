import { PlatformError, PlatformUnreachableError, type Problem } from "@aiplatform/client";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { Copyable } from "./copyable.tsx";

/** A failure for people: what happened, each field with its rule, what helps, and the request id. */
export function ErrorNotice({ error }: { error: unknown }) {
  return (
    <div className="notice" data-tone="bad" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="grow">
        <ErrorText error={error} />
      </div>
    </div>
  );
}

function ErrorText({ error }: { error: unknown }) {
  if (error instanceof PlatformError) return <Refusal error={error} />;
  if (error instanceof PlatformUnreachableError)
    return <p>The platform does not answer. Check your network; the console asks again by itself.</p>;
  return <p>{error instanceof Error ? error.message : String(error)}</p>;
}

function Refusal({ error }: { error: PlatformError }) {
  const remedy = useRemedy(error);
  return (
    <>
      {error.problems.length > 0 ? <Problems problems={error.problems} /> : <p>{error.message}</p>}
      <dl>
        {remedy && (
          <>
            <dt>What to do</dt>
            <dd>{remedy}</dd>
          </>
        )}
        {error.requestId && (
          <>
            <dt>Request</dt>
            <dd>
              <Copyable text={error.requestId} />
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

function Problems({ problems }: { problems: readonly Problem[] }) {
  return (
    <ul className="stack-tight">
      {problems.map(({ loc, msg, type }) => (
        <li key={`${loc.join(".")} ${type}`}>
          <code>{loc.slice(1).join(".") || loc.join(".")}</code>: {msg} <span className="muted">({type})</span>
        </li>
      ))}
    </ul>
  );
}

/** What helps against an error, as the reference of errors says. Read when the first error is shown. */
function useRemedy({ code, problems }: PlatformError): string | undefined {
  const { data } = useQuery({
    queryKey: ["remedies"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await import("../../gen/remedies.ts")).remedies,
  });
  return data?.[code] ?? problems.map(({ type }) => data?.[type]).find((remedy) => remedy !== undefined);
}
