import type { ReactNode } from "react";
import type { Deployment } from "../../api/platform.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { type DeploymentAction, useDeploymentAction } from "../queries/use-deployments.ts";

interface ActionDialogProps {
  deployment: Deployment;
  onClose: () => void;
  title: string;
  description: string;
  /** What is asked for; undefined while the form is not complete. */
  action: DeploymentAction | undefined;
  confirmLabel: string;
  isDangerous?: boolean;
  children?: ReactNode;
}

/** Asks before something is done with a deployment, and shows a refusal. */
export function ActionDialog({ deployment, onClose, title, description, action, ...rest }: ActionDialogProps) {
  const { confirmLabel, isDangerous = false, children } = rest;
  const send = useDeploymentAction(deployment.id);
  return (
    <Dialog title={title} description={description} isOpen onClose={onClose}>
      {children}
      {send.error && <ErrorNotice error={send.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind={isDangerous ? "danger" : "primary"}
          isPending={send.isPending}
          forbidden={action ? undefined : "Complete the form first."}
          onClick={() => action && send.mutate(action, { onSuccess: onClose })}
        >
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
