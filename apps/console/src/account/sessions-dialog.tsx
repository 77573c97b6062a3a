import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { browserName } from "./browser-name.ts";
import { type OwnSession, useRevokeSession, useSessions } from "./use-sessions.ts";

/** How a session was opened, in words. */
const methods: Readonly<Record<string, string>> = {
  api_key: "API key",
  access_token: "access token",
  sign_in_code: "one-time link",
  switch: "switch of organisation",
  identity_provider: "identity provider",
};

const columns = [
  "Browser",
  "Signed in by",
  "Signed in",
  "Last used",
  { name: "Actions", isHidden: true, isRight: true },
];

/** The person's sessions in this organisation, and a way to end those that are not this one. */
export function SessionsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const sessions = useSessions(isOpen);
  const revoke = useRevokeSession();
  return (
    <Dialog
      title="Your sessions"
      description="Where you are signed in to this organisation. End what you do not know."
      size="wide"
      isOpen={isOpen}
      onClose={onClose}
    >
      {revoke.error && <ErrorNotice error={revoke.error} />}
      <QueryView query={sessions}>
        {(found) => (
          <Table caption="Your sessions" columns={columns}>
            {found.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isEnding={revoke.isPending && revoke.variables === session.id}
                onEnd={() => revoke.mutate(session.id)}
              />
            ))}
          </Table>
        )}
      </QueryView>
      <div className="row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

interface SessionRowProps {
  session: OwnSession;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const name = browserName(session.user_agent);
  return (
    <tr>
      <td title={session.user_agent}>{name}</td>
      <td>{methods[session.method] ?? session.method}</td>
      <td>
        <Time at={session.created_at} />
      </td>
      <td>
        <Time at={session.last_used_at} />
      </td>
      <td className="right">
        {session.is_current ? (
          <span className="muted">this one</span>
        ) : (
          <Button size="small" kind="danger" isPending={isEnding} onClick={onEnd}>
            End<span className="visually-hidden"> the session of {name}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}
