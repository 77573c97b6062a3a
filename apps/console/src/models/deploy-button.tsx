import { useNavigate } from "@tanstack/react-router";
import { Rocket } from "lucide-react";
import { useState } from "react";
import type { Model } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { useDeploy } from "./use-models.ts";

/** Deploys the newest ready version of a model, after a question. */
export function DeployButton({ model, size }: { model: Model; size?: "small" }) {
  const [isAsking, setIsAsking] = useState(false);
  const forbidden = useForbidden("deployments:write");
  const objection = model.newest_ready_version_id === null ? "The model has no version that is ready." : undefined;
  const deploy = useDeploy();
  const navigate = useNavigate();
  const confirm = () =>
    deploy.mutate(model.id, {
      onSuccess: ({ id }) => void navigate({ to: "/deployments/$deploymentId", params: { deploymentId: id } }),
    });
  return (
    <>
      <Button {...(size && { size })} forbidden={forbidden ?? objection} onClick={() => setIsAsking(true)}>
        <Rocket size={14} aria-hidden="true" />
        Deploy
      </Button>
      <Dialog
        title={`Deploy ${model.name}`}
        description="A new deployment serves the newest ready version of the model. It counts against the quota of the organisation."
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
      >
        {deploy.error && <ErrorNotice error={deploy.error} />}
        <div className="dialog-actions">
          <Button onClick={() => setIsAsking(false)}>Cancel</Button>
          <Button kind="primary" isPending={deploy.isPending} onClick={confirm}>
            Deploy
          </Button>
        </div>
      </Dialog>
    </>
  );
}
