import { Link2 } from "lucide-react";
import { useState } from "react";
import type { ExternalLink } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { MemberName } from "../../members/member-name.tsx";
import { Button } from "../../ui/button.tsx";
import { StateChip } from "../../ui/chip.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ListPanel } from "../../ui/list-panel.tsx";
import { Empty } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { PeoplePage } from "../people-page.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { linkError, revokeObjection } from "./link-texts.ts";
import { useAccounts, useRevokeLink } from "./use-accounts.ts";

type Asked = { kind: "link"; again?: ExternalLink } | { kind: "revoke"; link: ExternalLink };

/** Accounts at other platforms whose tokens the organisation keeps. */
export function AccountsPage() {
  const accounts = useAccounts();
  const [asked, setAsked] = useState<Asked>();
  const forbidden = useForbidden("oauth:link");
  const close = () => setAsked(undefined);
  return (
    <PeoplePage
      title="Linked accounts"
      permission="oauth:link"
      actions={
        <Button kind="primary" forbidden={forbidden} onClick={() => setAsked({ kind: "link" })}>
          <Link2 size={15} aria-hidden="true" />
          Link an account
        </Button>
      }
    >
      <p className="muted">
        Tokens are kept encrypted and are never shown. Steps of automations use them by their name.
      </p>
      <ListPanel
        label="List of linked accounts"
        list={accounts}
        empty={
          <Empty title="No linked accounts yet">
            <p>Link an account at a provider that your operator has set up.</p>
          </Empty>
        }
      >
        {(items) => <AccountsTable links={items} onAsk={setAsked} />}
      </ListPanel>
      {asked?.kind === "link" && <LinkDialog again={asked.again} onClose={close} />}
      {asked?.kind === "revoke" && <RevokeDialog link={asked.link} onClose={close} />}
    </PeoplePage>
  );
}

interface AccountsTableProps {
  links: readonly ExternalLink[];
  onAsk: (asked: Asked) => void;
}

function AccountsTable({ links, onAsk }: AccountsTableProps) {
  return (
    <Table
      caption="Linked accounts"
      columns={["Name", "State", "Provider", "Linked by", "Linked", { name: "Actions", isHidden: true }]}
    >
      {links.map((link) => (
        <tr key={link.id}>
          <td className="person">
            {link.secret_name}
            {link.secret_description !== "" && <span className="muted small-block">{link.secret_description}</span>}
          </td>
          <td>
            <StateChip state={link.status} />
            {link.error !== null && <span className="muted small-block">{linkError(link.error)}</span>}
          </td>
          <td>{link.provider}</td>
          <td>
            {link.member_id === null ? <span className="muted">a program</span> : <MemberName id={link.member_id} />}
          </td>
          <td>
            <Time at={link.linked_at} />
          </td>
          <td className="right">
            <RowActions link={link} onAsk={onAsk} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function RowActions({ link, onAsk }: { link: ExternalLink; onAsk: (asked: Asked) => void }) {
  const forbidden = useForbidden("oauth:link");
  return (
    <span className="row-actions">
      <Button size="small" forbidden={forbidden} onClick={() => onAsk({ kind: "link", again: link })}>
        Link again
      </Button>
      <Button
        size="small"
        forbidden={forbidden ?? revokeObjection(link.status)}
        onClick={() => onAsk({ kind: "revoke", link })}
      >
        Revoke
      </Button>
    </span>
  );
}

function RevokeDialog({ link, onClose }: { link: ExternalLink; onClose: () => void }) {
  const revoke = useRevokeLink();
  return (
    <ConfirmDialog
      title={`Revoke ${link.secret_name}`}
      description={`The tokens are erased here, and ${link.provider} is asked to take them back. What uses them fails from then on.`}
      confirmLabel="Revoke"
      isDangerous
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(link.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
