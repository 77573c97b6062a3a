import type { Checkpoint, JobAddress } from "../../api/platform.ts";
import { SelectField } from "../../ui/field.tsx";
import { metricText } from "../../ui/numbers.ts";
import { useCheckpoints } from "../queries/use-checkpoints.ts";

interface CheckpointFieldProps {
  address: JobAddress;
  value: string;
  onChange: (id: string) => void;
  /** What is used where none is chosen. */
  fallback: string;
}

/** Chooses a checkpoint that is kept. */
export function CheckpointField({ address, value, onChange, fallback }: CheckpointFieldProps) {
  const { data } = useCheckpoints(address);
  const kept = (data ?? []).filter(({ pruned_at }) => pruned_at === null);
  const options = [
    { value: "", label: fallback },
    ...kept.map((checkpoint) => ({ value: checkpoint.id, label: checkpointText(checkpoint) })),
  ];
  return <SelectField label="Checkpoint" value={value} onChange={onChange} options={options} />;
}

function checkpointText({ step, segment_index, metrics }: Checkpoint): string {
  const values = Object.entries(metrics).slice(0, 2);
  const parts = values.map(([name, value]) => `${name} ${metricText(value)}`);
  return [`step ${step}`, `segment ${segment_index}`, ...parts].join(" · ");
}
