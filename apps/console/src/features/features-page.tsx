import "./features.css";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Feature } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { MemberName } from "../members/member-name.tsx";
import { Allowed } from "../shell/allowed.tsx";
import { Page } from "../shell/page.tsx";
import { readListSearch } from "../shell/search-texts.ts";
import { Button } from "../ui/button.tsx";
import { StateChip } from "../ui/chip.tsx";
import { FilteredList } from "../ui/filtered-list.tsx";
import type { ListSearch } from "../ui/list-filter.tsx";
import { Empty } from "../ui/panel.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { CreateFeatureDialog } from "./create-feature-dialog.tsx";
import { useFeatures } from "./use-features.ts";

const route = getRouteApi("/shell/features");

const orders = [
  { value: "", label: "By key" },
  { value: "key desc", label: "By key, backwards" },
] as const;

const quick = [
  { label: "Active", filter: "status = active" },
  { label: "Deprecated", filter: "status = deprecated" },
  { label: "Without owner", filter: "NOT owner_member_id:*" },
] as const;

const noFeatures = (
  <Empty title="No features yet">
    <p>A feature is a named capability or value that automations and models use. Create one to say what it means.</p>
  </Empty>
);

/** The features of the organisation: found by a filter, created. */
export function FeaturesPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const forbidden = useForbidden("features:write");
  const features = useFeatures(search);
  const go = (next: ListSearch) => void navigate({ to: "/features", search: readListSearch({ ...next }) });
  return (
    <Page
      title="Features"
      actions={
        <Button kind="primary" forbidden={forbidden} onClick={() => setIsCreating(true)}>
          <Plus size={15} aria-hidden="true" />
          New feature
        </Button>
      }
    >
      <Allowed permission="features:read">
        <FilteredList
          one="feature"
          many="features"
          search={search}
          onChange={go}
          placeholder="status = deprecated AND updated_at >= 2026-01-01T00:00:00Z"
          orders={orders}
          quick={quick}
          list={features}
          empty={noFeatures}
        >
          {(items) => <FeaturesTable features={items} />}
        </FilteredList>
      </Allowed>
      {isCreating && <CreateFeatureDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

function FeaturesTable({ features }: { features: readonly Feature[] }) {
  return (
    <Table
      caption="Features"
      columns={["Key", "State", "Description", "Owner", { name: "Version", isRight: true }, "Changed"]}
    >
      {features.map(({ id, key, status, description, owner_member_id, version, updated_at }) => (
        <tr key={id}>
          <td className="feature-key">
            <Link to="/features/$featureKey" params={{ featureKey: key }}>
              <code>{key}</code>
            </Link>
          </td>
          <td>
            <StateChip state={status} />
          </td>
          <td className="feature-text">{description}</td>
          <td>
            {owner_member_id === null ? <span className="muted">none</span> : <MemberName id={owner_member_id} />}
          </td>
          <td className="right number">{version}</td>
          <td>
            <Time at={updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
