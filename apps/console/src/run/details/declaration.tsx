import type { Job, Run } from "../../api/platform.ts";
import { Copyable } from "../../ui/copyable.tsx";
import { JsonBox } from "../../ui/scroll-box.tsx";
import { Time } from "../../ui/time.tsx";

/** What the run and its job declare. */
export function Declaration({ run, job }: { run: Run; job: Job }) {
  return (
    <div className="stack padded">
      <dl className="facts">
        <dt>Run</dt>
        <dd>
          <Copyable text={run.id} />
        </dd>
        <dt>Pipeline</dt>
        <dd>
          <Copyable text={run.pipeline_id} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={run.created_at} />
        </dd>
        <dt>Notes</dt>
        <dd>{run.notes || "–"}</dd>
      </dl>
      <Json title="Configuration" value={job.job?.configuration ?? {}} />
      <Json title="Parameters" value={run.parameters} />
    </div>
  );
}

function Json({ title, value }: { title: string; value: unknown }) {
  return (
    <section className="stack-tight">
      <h3>{title}</h3>
      <JsonBox label={title} value={value} />
    </section>
  );
}
