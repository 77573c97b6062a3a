import { Users } from "lucide-react";
import type { ReactNode } from "react";

interface ConflictNoticeProps {
  /** What was changed elsewhere, such as `the draft`. */
  what: string;
  /** What to look at before choosing. */
  details?: ReactNode;
  /** Buttons: what to do about it. */
  children: ReactNode;
}

/** Says that someone else was faster. What the viewer typed is still there. */
export function ConflictNotice({ what, details, children }: ConflictNoticeProps) {
  return (
    <div className="notice" data-tone="warn" role="alert">
      <Users size={16} aria-hidden="true" />
      <div className="grow stack-tight">
        <p>Someone else has changed {what} since you opened it. Nothing of yours is saved yet, and nothing is lost.</p>
        {details}
        <div className="row">{children}</div>
      </div>
    </div>
  );
}
