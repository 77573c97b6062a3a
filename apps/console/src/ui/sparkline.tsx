import { sparklinePath } from "./sparkline-path.ts";

/** A curve without axes. `label` says to screen readers what it shows. */
export function Sparkline({ x, y, label }: { x: readonly number[]; y: readonly number[]; label: string }) {
  return (
    <svg className="sparkline" viewBox="0 0 120 26" preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={sparklinePath(x, y, { width: 120, height: 26 })} />
    </svg>
  );
}
