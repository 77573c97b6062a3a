import type { ContentDependencies } from "../dependencies.ts";
import { useFeatures } from "../feature-memory/use-features.ts";
import { type Automation, AutomationNotFoundError, DraftMissingError, type Version } from "./automation.ts";
import { automationPublished } from "./automation-events.ts";

type Dependencies = Pick<
  ContentDependencies,
  "automations" | "automationVersions" | "features" | "featureUsages" | "outbox" | "transaction" | "clock" | "newId"
>;

/**
 * Makes the draft the published version, and what it uses known to feature memory. Throws AutomationNotFoundError,
 * DraftMissingError, FeaturesUnavailableError.
 */
export function publishAutomation(
  dependencies: Dependencies,
  organisationId: string,
  automationId: string,
): Promise<Automation> {
  const { automations, automationVersions, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const automation = await automations.claim(organisationId, automationId, session);
    if (!automation) throw new AutomationNotFoundError(automationId);
    const draft = await automationVersions.findDraft(organisationId, automationId, session);
    if (!draft) throw new DraftMissingError(automationId);
    const time = clock();
    await useFeatures(dependencies, { organisationId, asset: assetOf(automation), uses: usesOf(draft), time }, session);
    const { currentVersion: former } = automation;
    if (former) await automationVersions.update(organisationId, { ...former, status: "superseded" }, session);
    const version: Version = { ...draft, status: "published", publishedAt: time };
    await automationVersions.update(organisationId, version, session);
    const published = { ...automation, currentVersion: version, updatedAt: time };
    await automations.setCurrentVersion(organisationId, published, session);
    await outbox.stage(session, automationPublished(version, time));
    return published;
  });
}

function assetOf({ id, name }: Automation) {
  return { assetType: "automation", assetId: id, assetName: name };
}

/** Each feature with the names of the steps that use it. */
function usesOf({ featureKeys, steps }: Version): Map<string, string> {
  const namesOf = (key: string) => steps.filter((step) => step.featureKeys.includes(key)).map(({ name }) => name);
  return new Map(featureKeys.map((key) => [key, shortened(`Steps: ${namesOf(key).join(", ")}`)]));
}

function shortened(text: string): string {
  const longest = 1_000;
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
