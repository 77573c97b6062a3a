import { Link } from "@tanstack/react-router";
import type { Model } from "../api/platform.ts";
import { Page } from "../shell/page.tsx";
import { Empty } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { DeployButton } from "./deploy-button.tsx";
import { useModels } from "./use-models.ts";

/** The models of the organisation. */
export function ModelsPage() {
  const models = useModels();
  return (
    <Page title="Models">
      <section className="panel" aria-label="List of models">
        <QueryView query={models}>
          {(items) =>
            items.length === 0 ? (
              <Empty title="No models yet">
                <p>A run that completes with a result makes a version of its pipeline's model.</p>
              </Empty>
            ) : (
              <ModelsTable models={items} />
            )
          }
        </QueryView>
      </section>
    </Page>
  );
}

function ModelsTable({ models }: { models: readonly Model[] }) {
  return (
    <Table caption="Models" columns={["Name", "Made by", "Created", { name: "Actions", isHidden: true }]}>
      {models.map((model) => (
        <tr key={model.id}>
          <td>
            <Link to="/models/$modelId" params={{ modelId: model.id }}>
              {model.name}
            </Link>
          </td>
          <td>
            {model.pipeline_id ? (
              <Link to="/runs" search={{ filter: `pipeline_id = ${model.pipeline_id}` }}>
                runs of its pipeline
              </Link>
            ) : (
              "uploads"
            )}
          </td>
          <td>
            <Time at={model.created_at} />
          </td>
          <td className="right">
            <DeployButton model={model} size="small" />
          </td>
        </tr>
      ))}
    </Table>
  );
}
