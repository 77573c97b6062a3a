import type { Deployment } from "../../api/platform.ts";
import { ActionDialog } from "./action-dialog.tsx";

const texts = {
  "end-canary": {
    title: (name: string) => `End the canary of ${name}`,
    description: "The current version answers all predictions again.",
    confirmLabel: "End canary",
  },
  stop: {
    title: (name: string) => `Stop ${name}`,
    description: "Predictions are refused with 503 until it is started again. Versions and rollouts stay.",
    confirmLabel: "Stop",
  },
  start: {
    title: (name: string) => `Start ${name}`,
    description: "It serves the version that it had.",
    confirmLabel: "Start",
  },
} as const;

interface ConfirmDialogProps {
  deployment: Deployment;
  onClose: () => void;
  kind: keyof typeof texts;
}

/** Asks before a deployment is stopped or started, or its canary ends. */
export function ConfirmDialog({ deployment, onClose, kind }: ConfirmDialogProps) {
  const { title, description, confirmLabel } = texts[kind];
  return (
    <ActionDialog
      deployment={deployment}
      onClose={onClose}
      title={title(deployment.name)}
      description={description}
      action={{ kind }}
      confirmLabel={confirmLabel}
      isDangerous={kind === "stop"}
    />
  );
}
