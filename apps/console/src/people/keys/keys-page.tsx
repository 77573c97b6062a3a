import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useForbidden } from "../../api/session.ts";
import { readListSearch } from "../../shell/search-texts.ts";
import { Button } from "../../ui/button.tsx";
import { FilteredList } from "../../ui/filtered-list.tsx";
import type { ListSearch } from "../../ui/list-filter.tsx";
import { Empty } from "../../ui/panel.tsx";
import { PeoplePage } from "../people-page.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { RevokeKeyDialog, RotateKeyDialog } from "./key-dialogs.tsx";
import { KeyPolicyPanel } from "./key-policy-panel.tsx";
import { type AskedOfKey, KeysTable } from "./keys-table.tsx";
import { useKeys } from "./use-keys.ts";

const route = getRouteApi("/shell/people/keys");

const orders = [
  { value: "", label: "Oldest first" },
  { value: "created_at desc", label: "Newest first" },
  { value: "name", label: "By name" },
] as const;

const quick = [
  { label: "Not revoked", filter: "NOT revoked_at:*" },
  { label: "Never used", filter: "NOT last_used_at:*" },
  { label: "Without end", filter: "NOT expires_at:* AND NOT revoked_at:*" },
] as const;

const noKeys = (
  <Empty title="No API keys yet">
    <p>Create one for a program that calls the platform.</p>
  </Empty>
);

/** The keys of programs: found by a filter, created, rotated, revoked. */
export function KeysPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  // Not in the table: it goes away when no key fits the filter any longer, and the secret of a rotated key with it.
  const [asked, setAsked] = useState<AskedOfKey>();
  const close = () => setAsked(undefined);
  const forbidden = useForbidden("apikeys:manage");
  const keys = useKeys(search);
  const go = (next: ListSearch) => void navigate({ to: "/people/keys", search: readListSearch({ ...next }) });
  return (
    <PeoplePage
      title="API keys"
      permission="apikeys:manage"
      actions={
        <Button kind="primary" forbidden={forbidden} onClick={() => setIsCreating(true)}>
          <KeyRound size={15} aria-hidden="true" />
          New key
        </Button>
      }
    >
      <FilteredList
        one="API key"
        many="API keys"
        search={search}
        onChange={go}
        placeholder='permission_ids:"training:command"'
        orders={orders}
        quick={quick}
        list={keys}
        empty={noKeys}
      >
        {(items) => <KeysTable keys={items} onAsk={setAsked} />}
      </FilteredList>
      <KeyPolicyPanel />
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} />}
      {asked?.kind === "rotate" && <RotateKeyDialog apiKey={asked.key} onClose={close} />}
      {asked?.kind === "revoke" && <RevokeKeyDialog apiKey={asked.key} onClose={close} />}
    </PeoplePage>
  );
}
