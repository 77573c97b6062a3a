import { type ReactNode, useId } from "react";

interface PanelProps {
  title: string;
  actions?: ReactNode;
  /** Whether its content reaches the borders, as tables do. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A titled part of a page. */
export function Panel({ title, actions, isFlush, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {actions && <div className="row">{actions}</div>}
      </div>
      <div className={isFlush ? "panel-body flush" : "panel-body"}>{children}</div>
    </section>
  );
}

/** What stands where there is nothing yet: a sentence, and how to get something there. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** Holds the place of rows that are being loaded. */
export function LoadingRows({ rows = 4 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a placeholder have no identity
        <div className="skeleton-row" key={index}>
          <div className="skeleton" />
        </div>
      ))}
    </div>
  );
}
