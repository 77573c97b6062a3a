import { Ban, CircleAlert, CircleCheck, CircleDashed, CirclePause, LoaderCircle, type LucideIcon } from "lucide-react";

type Tone = "active" | "good" | "warn" | "bad" | "idle";

const icons: Readonly<Record<Tone, LucideIcon>> = {
  active: LoaderCircle,
  good: CircleCheck,
  warn: CirclePause,
  bad: CircleAlert,
  idle: CircleDashed,
};

/** How each state of what the screens show is shown. A word that two things have means the same of both. */
const tones: Readonly<Record<string, Tone>> = {
  queued: "idle",
  preparing: "active",
  running: "active",
  held: "warn",
  pausing: "warn",
  paused: "warn",
  restoring: "active",
  finishing: "active",
  aborting: "warn",
  completed: "good",
  failed: "bad",
  aborted: "idle",
  stalled: "warn",
  lost: "bad",
  pending: "active",
  applied: "good",
  rejected: "bad",
  ready: "good",
  waiting: "idle",
  succeeded: "good",
  cancelled: "idle",
  Pending: "idle",
  Deploying: "active",
  Running: "good",
  Updating: "active",
  Unhealthy: "bad",
  Stopped: "idle",
  Failed: "bad",
  Deleting: "warn",
  Queued: "idle",
  InProgress: "active",
  Succeeded: "good",
  RolledBack: "warn",
  Superseded: "idle",
  starting: "active",
  unhealthy: "bad",
  enabled: "good",
  disabled: "warn",
  published: "good",
  superseded: "idle",
  invited: "active",
  active: "good",
  inactive: "idle",
  ending: "warn",
  expired: "idle",
  revoked: "idle",
  linked: "good",
  done: "good",
  refused: "bad",
  idle: "idle",
  draft: "idle",
  sending: "active",
  sent: "good",
  partially_sent: "warn",
  skipped: "idle",
  unknown: "warn",
  deprecated: "warn",
  deleted: "idle",
  reading: "active",
  purging: "warn",
  purged: "idle",
  open: "active",
  ended: "good",
  archived: "idle",
  embedding: "active",
};

const words: Readonly<Record<string, string>> = {
  InProgress: "in progress",
  RolledBack: "rolled back",
  partially_sent: "partially sent",
};

/** The icon of a state alone. What is around it names the state. */
export function StateIcon({ state }: { state: string }) {
  const tone = tones[state] ?? "idle";
  const Icon = iconOf(state, tone);
  return <Icon size={14} className="state-icon" data-tone={tone} aria-hidden="true" />;
}

function iconOf(state: string, tone: Tone): LucideIcon {
  return state === "aborted" || state === "cancelled" ? Ban : icons[tone];
}

/** A state as a word with an icon: colour alone says nothing. */
export function StateChip({ state }: { state: string }) {
  const tone = tones[state] ?? "idle";
  const Icon = iconOf(state, tone);
  return (
    <span className="chip" data-tone={tone}>
      <Icon size={13} aria-hidden="true" />
      {words[state] ?? state.toLowerCase()}
    </span>
  );
}
