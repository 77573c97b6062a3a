import type { DocumentStore, IndexPlan, Migration } from "@aiplatform/document-store";
import { OrganisationLimitStore } from "@aiplatform/quotas";
import { searchBackfill } from "@aiplatform/search";
import { AutomationRunStore } from "./automation-engine/automation-run-store.ts";
import { TriggeredEventStore } from "./automation-engine/triggered-event-store.ts";
import { ScheduleStore } from "./automation-schedules/schedule-store.ts";
import { AutomationStore } from "./automations/automation-store.ts";
import { AutomationVersionStore } from "./automations/automation-version-store.ts";
import { ChangeStore } from "./data-dictionaries/change-store.ts";
import { DictionaryStore } from "./data-dictionaries/data-dictionary-store.ts";
import { EntryStore } from "./data-dictionaries/entry-store.ts";
import { DatasetStore } from "./datasets/dataset-store.ts";
import { DeliveryStore } from "./email-drafts/delivery-store.ts";
import { EmailDraftStore } from "./email-drafts/email-draft-store.ts";
import { FeatureStore } from "./feature-memory/feature-store.ts";
import { FeatureUsageStore } from "./feature-memory/feature-usage-store.ts";
import { contentSearches } from "./search/search-rpc.ts";
import { SuspendedOrganisationStore } from "./suspended-organisations/suspended-organisation-store.ts";

/** What content keeps, each with the collection it keeps it in. */
export interface ContentStores {
  datasets: DatasetStore;
  dictionaries: DictionaryStore;
  entries: EntryStore;
  entryChanges: ChangeStore;
  emailDrafts: EmailDraftStore;
  deliveries: DeliveryStore;
  features: FeatureStore;
  featureUsages: FeatureUsageStore;
  automations: AutomationStore;
  automationVersions: AutomationVersionStore;
  automationRuns: AutomationRunStore;
  triggeredEvents: TriggeredEventStore;
  schedules: ScheduleStore;
  suspendedOrganisations: SuspendedOrganisationStore;
}

export const contentIndexes: readonly IndexPlan[] = [
  DatasetStore.indexes,
  DictionaryStore.indexes,
  EntryStore.indexes,
  ChangeStore.indexes,
  EmailDraftStore.indexes,
  DeliveryStore.indexes,
  FeatureStore.indexes,
  FeatureStore.lastVersionIndexes,
  FeatureUsageStore.indexes,
  AutomationStore.indexes,
  AutomationVersionStore.indexes,
  AutomationRunStore.indexes,
  TriggeredEventStore.indexes,
  ScheduleStore.indexes,
  SuspendedOrganisationStore.indexes,
  OrganisationLimitStore.indexes,
];

/** How documents of earlier versions become those of this one. A row that was released stays as it is. */
export const contentMigrations: readonly Migration[] = [{ version: 1, ...searchBackfill(contentSearches) }];

export function createStores(store: DocumentStore): ContentStores {
  return {
    datasets: new DatasetStore(store),
    dictionaries: new DictionaryStore(store),
    entries: new EntryStore(store),
    entryChanges: new ChangeStore(store),
    emailDrafts: new EmailDraftStore(store),
    deliveries: new DeliveryStore(store),
    features: new FeatureStore(store),
    featureUsages: new FeatureUsageStore(store),
    automations: new AutomationStore(store),
    automationVersions: new AutomationVersionStore(store),
    automationRuns: new AutomationRunStore(store),
    triggeredEvents: new TriggeredEventStore(store),
    schedules: new ScheduleStore(store),
    suspendedOrganisations: new SuspendedOrganisationStore(store),
  };
}
