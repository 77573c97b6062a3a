import { answerOf } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pageOf } from "../api/page.ts";
import { platform, type Run } from "../api/platform.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/dialog-form.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { type RunForm, readRunForm } from "./new-run.ts";
import { NewRunFields } from "./new-run-fields.tsx";

interface CreateRunDialogProps {
  /** `<pipeline>/<run>` of the run to copy, or `new`. */
  from: string;
  onClose: () => void;
}

/** Creates a run from a form, which another run may fill. */
export function CreateRunDialog({ from, onClose }: CreateRunDialogProps) {
  const [pipeline_id = "", run_id] = from.split("/");
  const source = useQuery({
    queryKey: ["run-to-copy", from],
    queryFn: async ({ signal }): Promise<Run | null> => {
      if (run_id === undefined) return null;
      const params = { path: { pipeline_id, run_id } };
      return answerOf(await platform.GET("/platform/pipelines/{pipeline_id}/runs/{run_id}", { params, signal }));
    },
  });
  return (
    <Dialog
      title="New run"
      description="All its jobs are queued until a trainer takes them."
      isOpen
      onClose={onClose}
      size="wide"
    >
      <QueryView query={source}>{(run) => <NewRunForm source={run} onClose={onClose} />}</QueryView>
    </Dialog>
  );
}

function formOf(source: Run | null): RunForm {
  const job = source?.jobs[0]?.job;
  const tags = Object.entries(source?.tags ?? {}).map(([key, value]) => `${key}=${value}`);
  return {
    name: source ? `${source.name} (copy)` : "",
    jobName: job?.name ?? "train",
    primaryMetric: job?.primary_metric ?? "",
    goal: job?.primary_metric_goal ?? "minimize",
    configuration: JSON.stringify(job?.configuration ?? {}, undefined, 2),
    tags: tags.join(", "),
    copied: source?.jobs ?? [],
    datasets: source?.datasets ?? [],
  };
}

function NewRunForm({ source, onClose }: { source: Run | null; onClose: () => void }) {
  const [form, setForm] = useState(() => formOf(source));
  const [pipelineId, setPipelineId] = useState(source?.pipeline_id ?? "");
  const [isTried, setIsTried] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const pipelines = useQuery({
    queryKey: ["pipelines"],
    queryFn: async ({ signal }) => {
      const query = { limit: 200, filter: "NOT archived_at:*" };
      return pageOf(await platform.GET("/platform/pipelines", { params: { query }, signal })).items;
    },
  });
  const chosen = pipelineId || (pipelines.data?.[0]?.id ?? "");
  const reading = readRunForm(form);
  const create = useMutation({
    mutationFn: async (body: Extract<typeof reading, { body: unknown }>["body"]) =>
      answerOf(
        await platform.POST("/platform/pipelines/{pipeline_id}/runs", {
          params: { path: { pipeline_id: chosen } },
          body,
        }),
      ),
    onSuccess: (run) => {
      void queryClient.invalidateQueries({ queryKey: ["runs"] });
      void navigate({ to: "/runs/$pipelineId/$runId", params: { pipelineId: run.pipeline_id, runId: run.id } });
    },
  });
  const submit = () => {
    setIsTried(true);
    if ("body" in reading) create.mutate(reading.body);
  };
  return (
    <DialogForm
      submitLabel="Create run"
      forbidden={chosen === "" ? "There is no pipeline yet. Create one through the API." : undefined}
      isPending={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <QueryView query={pipelines} rows={1}>
        {(items) => (
          <NewRunFields
            form={form}
            onChange={setForm}
            problems={isTried && "problems" in reading ? reading.problems : {}}
            pipelines={items}
            pipelineId={chosen}
            onPipeline={setPipelineId}
          />
        )}
      </QueryView>
    </DialogForm>
  );
}
