import type { JobAddress } from "../../api/platform.ts";
import { Copyable } from "../../ui/copyable.tsx";
import { bytesText, metricText } from "../../ui/numbers.ts";
import { Empty } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { shortId } from "../../ui/short-id.ts";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useCheckpoints } from "../queries/use-checkpoints.ts";

/** The newest checkpoints of a job. */
export function CheckpointsTable({ address }: { address: JobAddress }) {
  const checkpoints = useCheckpoints(address);
  return (
    <QueryView query={checkpoints}>
      {(items) =>
        items.length === 0 ? (
          <Empty title="No checkpoints yet">
            <p>The trainer saves them while it trains.</p>
          </Empty>
        ) : (
          <Table caption="Checkpoints" columns={["Step", "Segment", "Metrics", "Size", "Saved", "Id"]}>
            {items.map(({ id, step, segment_index, metrics, size_bytes, created_at, pruned_at }) => (
              <tr key={id}>
                <td className="number">{step}</td>
                <td className="number">{segment_index}</td>
                <td className="number">
                  {Object.entries(metrics)
                    .map(([name, value]) => `${name} ${metricText(value)}`)
                    .join(", ")}
                </td>
                <td className="number nowrap">{bytesText(size_bytes)}</td>
                <td>{pruned_at ? "pruned" : <Time at={created_at} />}</td>
                <td>
                  <Copyable text={id} shown={shortId(id)} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </QueryView>
  );
}
