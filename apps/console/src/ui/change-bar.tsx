import type { ReactNode } from "react";

interface ChangeBarProps {
  /** Its name for screen readers. */
  label: string;
  /** How much is not saved. */
  text: string;
  /** Buttons. */
  children: ReactNode;
}

/** Stays in sight while a form has changes that are not saved. */
export function ChangeBar({ label, text, children }: ChangeBarProps) {
  return (
    <div className="change-bar" role="toolbar" aria-label={label}>
      <strong className="grow">{text}</strong>
      {children}
    </div>
  );
}
