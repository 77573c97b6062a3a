import { Link } from "@tanstack/react-router";
import type { FeatureUsage } from "../api/platform.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { usageAddress } from "./deletion.ts";
import { useUsages } from "./use-features.ts";

/** What uses a feature. */
export function UsagesPanel({ featureKey }: { featureKey: string }) {
  const usages = useUsages(featureKey);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = usages;
  return (
    <Panel title="Used by" isFlush>
      <QueryView query={usages} rows={2}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="Nothing uses it">
              <p>
                Published automations appear by themselves. Models, deployments and others are registered through the
                API.
              </p>
            </Empty>
          ) : (
            <UsagesTable usages={items} />
          )
        }
      </QueryView>
      {hasNextPage && (
        <div className="padded">
          <Button size="small" isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Panel>
  );
}

function UsagesTable({ usages }: { usages: readonly FeatureUsage[] }) {
  return (
    <Table caption="What uses the feature" columns={["Name", "Kind", "How", "Since"]}>
      {usages.map((usage) => (
        <tr key={usage.id}>
          <td>
            <UsageName usage={usage} />
          </td>
          <td>{usage.asset_type.replaceAll("_", " ")}</td>
          <td className="feature-text">{usage.usage_notes || <span className="muted">–</span>}</td>
          <td>
            <Time at={usage.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Something that uses a feature by its name, with a link where it has a page. */
export function UsageName({ usage: { asset_type, asset_id, asset_name } }: { usage: FeatureUsage }) {
  const address = usageAddress(asset_type, asset_id);
  const name = asset_name || asset_id;
  return address === undefined ? name : <Link to={address}>{name}</Link>;
}
