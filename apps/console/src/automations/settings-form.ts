import type { components } from "@aiplatform/client";
import type { AutomationSettings } from "../api/platform.ts";

/** What the form of the settings holds, as it was typed. */
export interface SettingsForm {
  enabled: boolean;
  failures: string;
  /** Id of a member; empty: none. */
  owner: string;
  drafts: boolean;
}

/** The settings as a form shows them. */
export function settingsForm(settings: AutomationSettings): SettingsForm {
  const { enabled, failures_until_disabled, owner_member_id, drafts_for_owner } = settings;
  return {
    enabled,
    failures: String(failures_until_disabled),
    owner: owner_member_id ?? "",
    drafts: drafts_for_owner,
  };
}

/**
 * What the typed fields change. What was not typed, or is as it is stored, is left out, so that two people who change different settings do
 * not undo each other.
 */
export function changesOf(
  typed: Partial<SettingsForm>,
  settings: AutomationSettings,
): components["schemas"]["UpdateAutomationSettingsRequest"] {
  const now = settingsForm(settings);
  const form = { ...now, ...typed };
  const owner = form.owner.trim();
  return {
    ...(form.enabled !== now.enabled && { enabled: form.enabled }),
    // No number is NaN in JSON null, which would leave the setting as it is: -1 is refused at its field.
    ...(form.failures.trim() !== now.failures && { failures_until_disabled: wholeNumber(form.failures) }),
    ...(owner !== now.owner && owner !== "" && { owner_member_id: owner }),
    ...(form.drafts !== now.drafts && { drafts_for_owner: form.drafts }),
  };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value) ? -1 : value;
}
