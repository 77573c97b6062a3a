import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorNotice } from "./error-notice.tsx";

interface ConfirmDialogProps {
  /** Names what is done, and to what. */
  title: string;
  description: ReactNode;
  confirmLabel: string;
  isDangerous?: boolean;
  /** Why it cannot be done now. */
  forbidden?: string | undefined;
  isPending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
  size?: "wide";
  /** What it would do. */
  children?: ReactNode;
}

/** Asks before something is done that others notice, and shows a refusal. */
export function ConfirmDialog({ title, description, onClose, size, children, error, ...rest }: ConfirmDialogProps) {
  const { confirmLabel, isDangerous = false, forbidden, isPending, onConfirm } = rest;
  return (
    <Dialog title={title} description={description} isOpen onClose={onClose} {...(size && { size })}>
      {children}
      {error !== null && error !== undefined && <ErrorNotice error={error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind={isDangerous ? "danger" : "primary"}
          forbidden={forbidden}
          isPending={isPending}
          onClick={onConfirm}
        >
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
