import { Link } from "@tanstack/react-router";
import { StateChip } from "../ui/chip.tsx";
import { Table } from "../ui/table.tsx";
import { kindText, type LineageNode, nodeText } from "./lineage.ts";

/** Things of the lineage, the nearest first. `caption` heads them: what they are to the thing that the page shows. */
export function LineageTable({ caption, nodes }: { caption: string; nodes: readonly LineageNode[] }) {
  const columns = [caption, "What it is", "State", { name: "Steps away", isRight: true }];
  return (
    <Table caption={caption} columns={columns}>
      {nodes.map((node) => (
        <tr key={node.id}>
          <td>
            <NodeLink node={node} />
          </td>
          <td>{kindText(node.kind)}</td>
          <td>
            <StateChip state={node.state} />
          </td>
          <td className="right number">{node.distance}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Leads to the page of the thing, if it has one. */
function NodeLink({ node }: { node: LineageNode }) {
  const { kind, id, parent_id: parent, state } = node;
  const text = nodeText(node);
  if (state === "deleted") return <span>{text}</span>;
  if (kind === "deployment") {
    return (
      <Link to="/deployments/$deploymentId" params={{ deploymentId: id }}>
        {text}
      </Link>
    );
  }
  if (parent === null) return <span>{text}</span>;
  if (kind === "run") {
    return (
      <Link to="/runs/$pipelineId/$runId" params={{ pipelineId: parent, runId: id }}>
        {text}
      </Link>
    );
  }
  if (kind === "model_version") {
    return (
      <Link to="/models/$modelId" params={{ modelId: parent }}>
        {text}
      </Link>
    );
  }
  if (kind === "dataset_version") {
    return (
      <Link to="/data/$datasetId" params={{ datasetId: parent }} search={{ tab: "versions", version: id }}>
        {text}
      </Link>
    );
  }
  return <span>{text}</span>;
}
