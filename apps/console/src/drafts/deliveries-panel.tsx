import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { EmailDelivery, EmailDraft } from "../api/platform.ts";
import { MemberName } from "../members/member-name.tsx";
import { Button } from "../ui/button.tsx";
import { StateChip } from "../ui/chip.tsx";
import { SelectField } from "../ui/field.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Table } from "../ui/table.tsx";
import { deliveryError, deliveryMeanings } from "./delivery-texts.ts";
import { useDeliveries } from "./use-drafts.ts";

const route = getRouteApi("/shell/drafts/$draftId");

const states = ["sent", "failed", "unknown", "skipped", "pending"] as const;

/** What became of each recipient, or of those in one state. */
export function DeliveriesPanel({ draft }: { draft: EmailDraft }) {
  const search = route.useSearch();
  const state = states.find((each) => each === search.state);
  const navigate = useNavigate();
  const deliveries = useDeliveries(draft, state);
  const choose = (next: string) =>
    void navigate({
      to: "/drafts/$draftId",
      params: { draftId: draft.id },
      search: next === "" ? {} : { state: next },
    });
  return (
    <Panel title="Deliveries" isFlush>
      <div className="padded deliveries-filter">
        <SelectField
          label="State"
          value={state ?? ""}
          onChange={choose}
          options={[{ value: "", label: "all" }, ...states.map((each) => ({ value: each, label: each }))]}
        />
        {state && <p className="muted">{deliveryMeanings[state]}</p>}
      </div>
      <QueryView query={deliveries} rows={3}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={state ? `No delivery is ${state}` : "No deliveries yet"} />
          ) : (
            <DeliveriesTable deliveries={items} />
          )
        }
      </QueryView>
      {deliveries.hasNextPage && (
        <div className="padded">
          <Button
            size="small"
            isPending={deliveries.isFetchingNextPage}
            onClick={() => void deliveries.fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
      <Meanings deliveries={deliveries.data ?? []} />
    </Panel>
  );
}

function DeliveriesTable({ deliveries }: { deliveries: readonly EmailDelivery[] }) {
  return (
    <Table caption="Deliveries" columns={["Recipient", "State", "Address", "Why"]}>
      {deliveries.map(({ recipient_member_id, status, recipient_email, error }) => (
        <tr key={recipient_member_id}>
          <td>
            <MemberName id={recipient_member_id} />
          </td>
          <td>
            <StateChip state={status} />
          </td>
          <td className="draft-address">{recipient_email ?? <span className="muted">–</span>}</td>
          <td>{error === null ? <span className="muted">–</span> : deliveryError(error)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** What the states on the page mean. */
function Meanings({ deliveries }: { deliveries: readonly EmailDelivery[] }) {
  const present = states.filter((state) => deliveries.some(({ status }) => status === state));
  if (present.length === 0) return null;
  return (
    <dl className="facts padded small">
      {present.map((state) => (
        <div key={state} className="facts-row">
          <dt>{state}</dt>
          <dd className="muted">{deliveryMeanings[state]}</dd>
        </div>
      ))}
    </dl>
  );
}
