import { useQuery } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { apiUrl, type JobAddress, platform } from "../../api/platform.ts";
import { bytesText } from "../../ui/numbers.ts";
import { Empty } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

/** The files that were stored with a run; each can be downloaded. */
export function FilesTable({ address: { pipeline_id, run_id } }: { address: JobAddress }) {
  const files = useQuery({
    queryKey: ["files", run_id],
    queryFn: async ({ signal }) => {
      const params = { path: { pipeline_id, run_id }, query: { limit: 200 } };
      return pageOf(await platform.GET("/platform/pipelines/{pipeline_id}/runs/{run_id}/files", { params, signal }))
        .items;
    },
  });
  const urlOf = (path: string) =>
    `${apiUrl}/platform/pipelines/${pipeline_id}/runs/${run_id}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
  return (
    <QueryView query={files}>
      {(items) =>
        items.length === 0 ? (
          <Empty title="No files">
            <p>Scripts store files with a run by the MLflow client or the REST API.</p>
          </Empty>
        ) : (
          <Table caption="Files of this run" columns={["Path", "Size", "Stored"]}>
            {items.map(({ path, size_bytes, created_at }) => (
              <tr key={path}>
                <td>
                  <a href={urlOf(path)} download>
                    {path}
                  </a>
                </td>
                <td className="number nowrap">{bytesText(size_bytes)}</td>
                <td>
                  <Time at={created_at} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </QueryView>
  );
}
