interface MeterProps {
  /** Share that is full, 0 to 1; more is shown as full. */
  share: number;
  tone?: "good" | "warn" | "bad";
}

/** A bar that is full to a share. The figures stand beside it as text. */
export function Meter({ share, tone }: MeterProps) {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  return (
    <svg className="meter" data-tone={tone} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect width={width} height="6" />
    </svg>
  );
}
