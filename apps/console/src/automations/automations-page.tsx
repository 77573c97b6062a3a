import "./automations.css";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForbidden } from "../api/session.ts";
import { Page } from "../shell/page.tsx";
import { readListSearch } from "../shell/search-texts.ts";
import { Button } from "../ui/button.tsx";
import { FilteredList } from "../ui/filtered-list.tsx";
import type { ListSearch } from "../ui/list-filter.tsx";
import { Empty } from "../ui/panel.tsx";
import { AutomationsTable } from "./automations-table.tsx";
import { CreateAutomationDialog } from "./create-automation-dialog.tsx";
import { useAutomationList } from "./queries/use-automations.ts";

const route = getRouteApi("/shell/automations");

const orders = [
  { value: "", label: "Newest first" },
  { value: "created_at asc", label: "Oldest first" },
  { value: "name asc", label: "By name" },
] as const;

const noAutomations = (
  <Empty title="No automations yet">
    <p>
      An automation runs steps on demand or when something happens: it asks a model, trains, deploys, drafts an e-mail.
    </p>
  </Empty>
);

/** The automations of the organisation. */
export function AutomationsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const forbidden = useForbidden("automations:write");
  const automations = useAutomationList(search);
  const go = (next: ListSearch) => void navigate({ to: "/automations", search: readListSearch({ ...next }) });
  return (
    <Page
      title="Automations"
      actions={
        <Button kind="primary" forbidden={forbidden} onClick={() => setIsCreating(true)}>
          <Plus size={15} aria-hidden="true" />
          New automation
        </Button>
      }
    >
      <FilteredList
        one="automation"
        many="automations"
        search={search}
        onChange={go}
        placeholder='name = "Weekly report" OR updated_at >= 2026-01-01T00:00:00Z'
        orders={orders}
        quick={[]}
        list={automations}
        empty={noAutomations}
      >
        {(items) => <AutomationsTable automations={items} />}
      </FilteredList>
      {isCreating && <CreateAutomationDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
