import "../people.css";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Member } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { useMember } from "../../members/use-known-members.ts";
import { Allowed } from "../../shell/allowed.tsx";
import { Page } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { StateChip } from "../../ui/chip.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { DeactivateDialog, ReactivateDialog } from "./activation-dialogs.tsx";
import { MemberKeysPanel } from "./member-keys-panel.tsx";
import { MemberRolesPanel } from "./member-roles-panel.tsx";

const route = getRouteApi("/shell/people/members/$memberId");

/** A member: who they are, their roles, the keys that they made. */
export function MemberPage() {
  const { memberId } = route.useParams();
  const member = useMember(memberId);
  return (
    <Page
      title={member.data?.display_name ?? "Member"}
      trail={<Link to="/people/members">Members</Link>}
      actions={member.data && <MemberActions member={member.data} />}
    >
      <Allowed permission="members:manage">
        <QueryView query={member}>{(data) => <MemberView member={data} />}</QueryView>
      </Allowed>
    </Page>
  );
}

function MemberView({ member }: { member: Member }) {
  return (
    <div className="page-columns">
      <div className="stack">
        <MemberRolesPanel key={member.id} member={member} />
        <MemberKeysPanel memberId={member.id} />
      </div>
      <FactsPanel member={member} />
    </div>
  );
}

function MemberActions({ member }: { member: Member }) {
  const [isAsking, setIsAsking] = useState(false);
  const forbidden = useForbidden("members:manage");
  const isInactive = member.status === "inactive";
  const Dialog = isInactive ? ReactivateDialog : DeactivateDialog;
  return (
    <>
      <Button {...(!isInactive && { kind: "danger" })} forbidden={forbidden} onClick={() => setIsAsking(true)}>
        {isInactive ? "Reactivate" : "Deactivate"}
      </Button>
      {isAsking && <Dialog member={member} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function FactsPanel({ member }: { member: Member }) {
  return (
    <Panel title="About">
      <dl className="facts">
        <dt>Status</dt>
        <dd>
          <StateChip state={member.status} />
        </dd>
        <dt>E-mail</dt>
        <dd>
          {member.email}
          {member.email_opted_out && <span className="muted small-block">wants no e-mails</span>}
        </dd>
        <dt>Last seen</dt>
        <dd>{member.last_seen_at === null ? "never" : <Time at={member.last_seen_at} />}</dd>
        <dt>Added</dt>
        <dd>
          <Time at={member.created_at} />
        </dd>
        <dt>Signs in at</dt>
        <dd>{member.issuer === "" ? "not joined yet" : member.issuer}</dd>
        {member.subject !== "" && (
          <>
            <dt>Subject</dt>
            <dd>
              <Copyable text={member.subject} />
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd>
          <Copyable text={member.id} />
        </dd>
        <dt>Audit</dt>
        <dd>
          <Link to="/people/audit" search={{ member: member.id }}>
            what they did
          </Link>
        </dd>
      </dl>
    </Panel>
  );
}
