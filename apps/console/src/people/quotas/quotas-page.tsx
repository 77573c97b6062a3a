import { answerOf } from "@aiplatform/client";
import { useQuery } from "@tanstack/react-query";
import { platform, type Quota } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Meter } from "../../ui/meter.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { PeoplePage } from "../people-page.tsx";
import { amountText, quotaText, quotaUse, shareText } from "./quota-text.ts";

const lookMs = 10_000;

/** What the organisation may have, and what it has. */
export function QuotasPage() {
  const isEnabled = useForbidden("quotas:read") === undefined;
  const quotas = useQuery({
    queryKey: ["quotas"],
    enabled: isEnabled,
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => answerOf(await platform.GET("/platform/quotas", { signal })),
  });
  return (
    <PeoplePage title="Quotas" permission="quotas:read">
      <p className="muted">What goes beyond a limit is refused. The operator of the platform changes limits.</p>
      <section className="panel" aria-label="Quotas">
        <QueryView query={quotas} rows={9}>
          {(items) => <QuotasTable quotas={items} />}
        </QueryView>
      </section>
    </PeoplePage>
  );
}

function QuotasTable({ quotas }: { quotas: readonly Quota[] }) {
  return (
    <Table
      caption="Quotas"
      columns={["Quota", { name: "Used", isRight: true }, { name: "Limit", isRight: true }, "Use"]}
    >
      {quotas.map((quota) => {
        const { name, counts } = quotaText(quota.name);
        const { share, tone } = quotaUse(quota);
        return (
          <tr key={quota.name}>
            <td>
              {name}
              <span className="muted small-block">{counts}</span>
            </td>
            <td className="right number nowrap">{amountText(quota.used, quota.unit)}</td>
            <td className="right number nowrap">{amountText(quota.limit, quota.unit)}</td>
            <td className="quota-use">
              <Meter share={share} tone={tone} />
              <span className="number small-block muted">
                {shareText(share)}
                {tone === "bad" && ": full"}
                {tone === "warn" && ": nearly full"}
              </span>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
