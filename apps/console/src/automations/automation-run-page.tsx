import "./automations.css";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import type { Automation, AutomationRun } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { StateChip } from "../ui/chip.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { JsonBox } from "../ui/scroll-box.tsx";
import { Time } from "../ui/time.tsx";
import { useToast } from "../ui/toasts.tsx";
import { isEnded } from "./queries/run-rules.ts";
import { useAutomation } from "./queries/use-automations.ts";
import { useRunObjection } from "./queries/use-run-objection.ts";
import { useCancelRun, useRunOfAutomation } from "./queries/use-runs-of-automation.ts";
import { RunDialog } from "./runs/run-dialog.tsx";
import { RunSteps } from "./runs/run-steps.tsx";
import { Took } from "./runs/runs-panel.tsx";

const route = getRouteApi("/shell/automations/$automationId/runs/$runId");

/** A run of an automation: each step with what it made, live until it ends. */
export function AutomationRunPage() {
  const { automationId, runId } = route.useParams();
  const automation = useAutomation(automationId);
  const run = useRunOfAutomation(runId);
  const name = automation.data?.name ?? "Automation";
  return (
    <Page
      title={`Run of ${name}`}
      trail={
        <>
          <Link to="/automations">Automations</Link>
          {" / "}
          <Link to="/automations/$automationId" params={{ automationId }}>
            {name}
          </Link>
          {" / "}
          <Link to="/automations/$automationId" params={{ automationId }} search={{ tab: "runs" }}>
            Runs
          </Link>
        </>
      }
      actions={run.data && automation.data && <RunActions run={run.data} automation={automation.data} />}
    >
      <QueryView query={run}>{(data) => <RunView run={data} />}</QueryView>
    </Page>
  );
}

function RunActions({ run, automation }: { run: AutomationRun; automation: Automation }) {
  const [asked, setAsked] = useState<"again" | "cancel">();
  const forbidden = useForbidden("automations:run");
  const objection = useRunObjection(automation);
  const close = () => setAsked(undefined);
  const isOnDemand = run.started_by === "demand";
  return (
    <>
      <Button
        forbidden={forbidden ?? objection ?? (isOnDemand ? undefined : "An event started it. Its input is that event.")}
        onClick={() => setAsked("again")}
      >
        Run again
      </Button>
      <Button
        forbidden={forbidden ?? (isEnded(run.status) ? `The run has ended: ${run.status}.` : undefined)}
        onClick={() => setAsked("cancel")}
      >
        Cancel run
      </Button>
      {asked === "again" && <RunDialog automation={automation} input={run.input} onClose={close} />}
      {asked === "cancel" && <CancelDialog run={run} name={automation.name} onClose={close} />}
    </>
  );
}

function CancelDialog({ run, name, onClose }: { run: AutomationRun; name: string; onClose: () => void }) {
  const toast = useToast();
  const cancel = useCancelRun(run.id);
  const done = ({ status }: AutomationRun) => {
    toast.good(status === "cancelled" ? "The run is cancelled" : `The run had ended before: ${status}`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Cancel this run of ${name}`}
      description="The current step is given up. What the steps have done stays."
      confirmLabel="Cancel run"
      isDangerous
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate(undefined, { onSuccess: done })}
      onClose={onClose}
    />
  );
}

function RunView({ run }: { run: AutomationRun }) {
  return (
    <>
      <p className="row">
        <span role="status">
          <StateChip state={run.status} />
        </span>
        <span className="muted small">
          started by {run.started_by === "demand" ? "a person or a program" : <code>{run.started_by}</code>}
        </span>
        <span className="muted small">
          <Time at={run.created_at} />
        </span>
        <span className="muted small">
          {isEnded(run.status) ? "took" : "takes"} <Took run={run} />
        </span>
        <Copyable text={run.id} shown={`run ${run.id.slice(-8)}`} />
      </p>
      {run.error && (
        <div className="notice" data-tone="bad" role="alert">
          <CircleAlert size={16} aria-hidden="true" />
          <p>{run.error}</p>
        </div>
      )}
      <RunSteps run={run} />
      <Panel title={run.started_by === "demand" ? "Input" : "Event"}>
        <JsonBox label={run.started_by === "demand" ? "Input" : "Event"} value={run.input} />
      </Panel>
    </>
  );
}
