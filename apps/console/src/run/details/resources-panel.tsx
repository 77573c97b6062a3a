import type { Resources } from "../../api/live-run.ts";
import { bytesText } from "../../ui/numbers.ts";
import { Panel } from "../../ui/panel.tsx";
import { Time } from "../../ui/time.tsx";

/** What the trainer's machine uses, as the trainer last said. */
export function ResourcesPanel({ resources }: { resources: Resources | undefined }) {
  return (
    <Panel title="Resources">
      {resources ? <Facts resources={resources} /> : <p className="muted">The trainer has reported none.</p>}
    </Panel>
  );
}

function Facts({ resources }: { resources: Resources }) {
  const { devices, deviceMemory, cpu, memory, observedAt } = resources;
  return (
    <dl className="facts">
      <dt>Devices</dt>
      <dd>{devices.join(", ") || "–"}</dd>
      {deviceMemory !== undefined && (
        <>
          <dt>Device memory</dt>
          <dd className="number">{bytesText(deviceMemory)}</dd>
        </>
      )}
      {cpu !== undefined && (
        <>
          <dt>CPU</dt>
          <dd className="number">{Math.round(cpu * 100)} %</dd>
        </>
      )}
      {memory !== undefined && (
        <>
          <dt>Memory</dt>
          <dd className="number">{bytesText(memory)}</dd>
        </>
      )}
      <dt>Observed</dt>
      <dd>
        <Time at={observedAt} />
      </dd>
    </dl>
  );
}
