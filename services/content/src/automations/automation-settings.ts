export interface AutomationSettings {
  /** Nothing runs a disabled automation. */
  enabled: boolean;
  /** Why it was disabled by itself. */
  disabledReason: string | undefined;
  /** Failures in a row after which it is disabled; 0: never. */
  failuresUntilDisabled: number;
  failuresInARow: number;
  /** The member who is notified when something that the automation uses is deprecated. */
  ownerMemberId: string | undefined;
  /** Whether the owner is notified by an e-mail draft besides the event. */
  draftsForOwner: boolean;
}

/** A change of the settings; what is absent stays. */
export type SettingsChange = {
  [K in "enabled" | "failuresUntilDisabled" | "ownerMemberId" | "draftsForOwner"]?: AutomationSettings[K] | undefined;
};

export const initialSettings: AutomationSettings = {
  enabled: true,
  disabledReason: undefined,
  failuresUntilDisabled: 5,
  failuresInARow: 0,
  ownerMemberId: undefined,
  draftsForOwner: false,
};

/** The settings with what is wanted. Enabling forgets the failures in a row, and why it was disabled. */
export function changedSettings(settings: AutomationSettings, change: SettingsChange): AutomationSettings {
  const forgotten = change.enabled === true ? { disabledReason: undefined, failuresInARow: 0 } : {};
  return {
    ...settings,
    ...forgotten,
    enabled: change.enabled ?? settings.enabled,
    failuresUntilDisabled: change.failuresUntilDisabled ?? settings.failuresUntilDisabled,
    ownerMemberId: change.ownerMemberId ?? settings.ownerMemberId,
    draftsForOwner: change.draftsForOwner ?? settings.draftsForOwner,
  };
}

/** The settings after a run ended so: enough failures in a row disable the automation. */
export function settingsAfterRun(settings: AutomationSettings, outcome: "succeeded" | "failed"): AutomationSettings {
  if (outcome === "succeeded") return { ...settings, failuresInARow: 0 };
  const failuresInARow = settings.failuresInARow + 1;
  const { failuresUntilDisabled: most, enabled } = settings;
  if (!enabled || most === 0 || failuresInARow < most) return { ...settings, failuresInARow };
  const disabledReason = most === 1 ? "A run failed" : `${most} runs in a row failed`;
  return { ...settings, failuresInARow, enabled: false, disabledReason };
}

export function isSameSettings(one: AutomationSettings, other: AutomationSettings): boolean {
  return (
    one.enabled === other.enabled &&
    one.disabledReason === other.disabledReason &&
    one.failuresUntilDisabled === other.failuresUntilDisabled &&
    one.failuresInARow === other.failuresInARow &&
    one.ownerMemberId === other.ownerMemberId &&
    one.draftsForOwner === other.draftsForOwner
  );
}
