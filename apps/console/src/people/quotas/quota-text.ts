import type { Quota } from "../../api/platform.ts";
import { bytesText } from "../../ui/numbers.ts";

const texts: Readonly<Record<string, { name: string; counts: string }>> = {
  members: { name: "Members", counts: "active or invited" },
  api_keys: { name: "API keys", counts: "neither revoked nor expired" },
  pipelines: { name: "Pipelines", counts: "ever made" },
  runs: { name: "Runs", counts: "ever made" },
  run_configuration_bytes: { name: "Configuration of runs", counts: "configurations, overrides and parameters" },
  email_drafts: { name: "E-mail drafts", counts: "not sent yet" },
  deployments: { name: "Deployments", counts: "not being deleted" },
  instance_memory_mb: { name: "Memory of instances", counts: "what all instances may take" },
  dataset_versions: { name: "Versions of datasets", counts: "purged ones too" },
  dataset_bytes: { name: "Data of datasets", counts: "rows of their versions, as they are stored" },
  artifact_bytes: { name: "Artifacts", counts: "models, files of bundles and of runs" },
};

/** What a quota is called, and what it counts. One that a later version of the platform has is called by its own name. */
export function quotaText(name: string): { name: string; counts: string } {
  return texts[name] ?? { name: name.replaceAll("_", " "), counts: "" };
}

/** A figure of a quota in its unit. */
export function amountText(amount: number, unit: Quota["unit"]): string {
  if (unit === "count") return amount.toLocaleString("en");
  return bytesText(unit === "bytes" ? amount : amount * 1024 ** 2);
}

/** A share in percent; a very small one is not said to be nothing. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.001) return "< 0.1 %";
  return `${(share * 100).toLocaleString("en", { maximumFractionDigits: share < 0.1 ? 1 : 0 })} %`;
}

/** Used from which share on a quota is shown as nearly full. */
const nearlyFull = 0.8;

/** How much of a quota is used: a share, 1 or more when it is full, and how that is shown. */
export function quotaUse({ used, limit }: Pick<Quota, "used" | "limit">): {
  share: number;
  tone: "good" | "warn" | "bad";
} {
  const share = limit === 0 ? 1 : used / limit;
  if (share >= 1) return { share, tone: "bad" };
  return { share, tone: share >= nearlyFull ? "warn" : "good" };
}
