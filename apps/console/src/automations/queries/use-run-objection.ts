import type { Automation } from "../../api/platform.ts";
import { useAutomationSettings } from "./use-automations.ts";

/** Why an automation cannot be run now; undefined when it can. */
export function useRunObjection({ id, current_version }: Automation): string | undefined {
  const { data: settings } = useAutomationSettings(id);
  if (current_version === null) return "Nothing is published yet. Publish the draft first.";
  if (settings && !settings.enabled) return "It is disabled. Enable it in its settings first.";
  return undefined;
}
