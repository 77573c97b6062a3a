import { useState } from "react";
import type { Automation } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { DeleteAutomationDialog } from "./delete-automation-dialog.tsx";
import { useRunObjection } from "./queries/use-run-objection.ts";
import { RunDialog } from "./runs/run-dialog.tsx";

/** What can be done with an automation; what cannot be done now says why. */
export function AutomationActions({ automation }: { automation: Automation }) {
  const [asked, setAsked] = useState<"run" | "delete">();
  const mayNotRun = useForbidden("automations:run");
  const mayNotWrite = useForbidden("automations:write");
  const objection = useRunObjection(automation);
  const close = () => setAsked(undefined);
  return (
    <>
      <Button kind="primary" forbidden={mayNotRun ?? objection} onClick={() => setAsked("run")}>
        Run
      </Button>
      <Button forbidden={mayNotWrite} onClick={() => setAsked("delete")}>
        Delete
      </Button>
      {asked === "run" && <RunDialog automation={automation} onClose={close} />}
      {asked === "delete" && <DeleteAutomationDialog automation={automation} onClose={close} />}
    </>
  );
}
