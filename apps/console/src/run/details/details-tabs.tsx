import { Tabs } from "@base-ui/react/tabs";
import { memo } from "react";
import type { Command, Job, JobAddress, Run } from "../../api/platform.ts";
import { LineageView } from "../../lineage/lineage-panel.tsx";
import { CommandLog } from "../commands/command-log.tsx";
import { CheckpointsTable } from "./checkpoints-table.tsx";
import { Declaration } from "./declaration.tsx";
import { FilesTable } from "./files-table.tsx";
import { LogTail } from "./log-tail.tsx";

interface DetailsTabsProps {
  address: JobAddress;
  run: Run;
  job: Job;
  commands: readonly Command[];
  heartbeatAt: string | null;
}

const names = ["Commands", "Log", "Checkpoints", "Files", "Lineage", "Declaration"] as const;

/** What else there is of a job. */
export const DetailsTabs = memo(function DetailsTabs({ address, run, job, commands, heartbeatAt }: DetailsTabsProps) {
  return (
    <section className="panel" aria-label="Details">
      <Tabs.Root defaultValue="Commands">
        <Tabs.List className="tabs-list">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name} className="tab">
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="Commands">
          <CommandLog commands={commands} heartbeatAt={heartbeatAt} />
        </Tabs.Panel>
        <Tabs.Panel value="Log">
          <LogTail address={address} />
        </Tabs.Panel>
        <Tabs.Panel value="Checkpoints">
          <CheckpointsTable address={address} />
        </Tabs.Panel>
        <Tabs.Panel value="Files">
          <FilesTable address={address} />
        </Tabs.Panel>
        <Tabs.Panel value="Lineage">
          <LineageView kind="run" id={run.id} />
        </Tabs.Panel>
        <Tabs.Panel value="Declaration">
          <Declaration run={run} job={job} />
        </Tabs.Panel>
      </Tabs.Root>
    </section>
  );
});
