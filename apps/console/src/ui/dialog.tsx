import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

interface DialogProps {
  title: string;
  description?: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  size?: "wide";
  /** Whether its own buttons alone close it, since a press beside it would lose something. */
  keepsOpen?: boolean;
  children: ReactNode;
}

/** A modal dialog. Focus stays inside while it is open, and returns to what opened it. */
export function Dialog({ title, description, isOpen, onClose, size, keepsOpen = false, children }: DialogProps) {
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && !keepsOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="dialog-backdrop" />
        <BaseDialog.Popup className="dialog" data-size={size}>
          <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
          {description && <BaseDialog.Description className="muted">{description}</BaseDialog.Description>}
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
