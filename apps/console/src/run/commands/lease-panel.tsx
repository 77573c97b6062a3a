import type { SupervisionLease } from "../../api/platform.ts";
import type { Session } from "../../api/session.ts";
import { useForbidden, useSession } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import type { useLease } from "./use-lease.ts";

/** Who may command the job alone, and how to get or give up that right. */
export function LeasePanel({ lease }: { lease: ReturnType<typeof useLease> }) {
  const { current, own, acquire, release } = lease;
  const { data: session } = useSession();
  const forbidden = useForbidden("training:command");
  const mayNotOverride = useForbidden("training:override");
  const mayNotTakeOver = session?.member
    ? mayNotOverride
    : "Only a member can take a lease over, and this is an API key.";
  const error = acquire.error ?? release.error;
  return (
    <Panel title="Supervision lease">
      <QueryView query={current} rows={1}>
        {(held) => (
          <div className="stack-tight">
            {held ? (
              <Holder held={held} isOwn={own !== undefined} session={session} />
            ) : (
              <p className="muted">No one holds it. Every member with the permission may send commands.</p>
            )}
            {error && <ErrorNotice error={error} />}
            <div className="row">
              {!held && (
                <Button
                  size="small"
                  forbidden={forbidden}
                  isPending={acquire.isPending}
                  onClick={() => acquire.mutate({ takeOver: false })}
                >
                  Acquire
                </Button>
              )}
              {held && !own && (
                <Button
                  size="small"
                  forbidden={forbidden ?? mayNotTakeOver}
                  isPending={acquire.isPending}
                  onClick={() => acquire.mutate({ takeOver: true })}
                >
                  Take over
                </Button>
              )}
              {own && (
                <Button size="small" isPending={release.isPending} onClick={() => release.mutate(own)}>
                  Release
                </Button>
              )}
            </div>
          </div>
        )}
      </QueryView>
    </Panel>
  );
}

interface HolderProps {
  held: SupervisionLease;
  isOwn: boolean;
  session: Session | null | undefined;
}

function Holder({ held, isOwn, session }: HolderProps) {
  const { holder_member_id: holder, expires_at, epoch } = held;
  const isSameMember = holder !== null && holder === session?.member?.id;
  const name = holder === null ? "an API key" : isSameMember ? "you" : `member ${holder}`;
  return (
    <>
      <p>
        {isOwn
          ? "This tab holds it: only its commands are taken."
          : `Held by ${name}: other commands are rejected as supervised.`}
      </p>
      <dl className="facts">
        <dt>Ends</dt>
        <dd>
          <Time at={expires_at} />
        </dd>
        <dt>Epoch</dt>
        <dd className="number">{epoch}</dd>
      </dl>
    </>
  );
}
