import { ListAutomationsRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import {
  byCreation,
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "@aiplatform/search";
import { type Automation, AutomationNotFoundError } from "./automation.ts";
import { type AutomationSettings, initialSettings } from "./automation-settings.ts";
import type { OwnedAutomation } from "./owner-draft.ts";
import { usesDataset } from "./uses-dataset.ts";
import { sizeOfVersion, toVersion, toVersionDocument, type VersionDocument } from "./version-document.ts";

interface AutomationDocument extends TenantDocument, Partial<SearchFields> {
  name: string;
  description: string;
  /** A copy of the published version, so that a list is one read of one instant. */
  current_version: VersionDocument | null;
  created_at: Date;
  updated_at: Date;
  /** Absent: the settings have never changed. */
  settings?: SettingsDocument;
  /** How often a writer claimed it; counted so that writers conflict before they read what they will change. */
  claims: number;
}

interface SettingsDocument {
  enabled: boolean;
  disabled_reason: string | null;
  failures_until_disabled: number;
  failures_in_a_row: number;
  owner_member_id: string | null;
  drafts_for_owner: boolean;
}

/** An event of an organisation by its name, `domain.entity.happened`. */
export interface NamedEvent {
  organisationId: string;
  name: string;
}

export function eventKey({ organisationId, name }: NamedEvent): string {
  return `${organisationId} ${name}`;
}

const collection = "automations";

export const automationSearch: SearchedCollection = {
  kind: SearchKind.AUTOMATION,
  collection,
  name: "name",
  texts: ["description"],
  parameters: { automation_id: "_id" },
  orderIndex: "creation",
};

const automationList = new ListQuery(ListAutomationsRequestSchema, { defaultSort: oldestFirst });
const triggerPath = "current_version.trigger.event";

export class AutomationStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
      searchIndex,
      {
        name: "trigger",
        key: { organisation_id: 1, [triggerPath]: 1 },
        partialFilterExpression: { [triggerPath]: { $exists: true } },
      },
    ],
  };

  readonly #automations: TenantCollection<AutomationDocument>;

  constructor(store: DocumentStore) {
    this.#automations = new TenantCollection(store, collection);
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<Automation | undefined> {
    const document = await this.#automations.findOne(organisationId, { _id: id }, { session });
    return document && toAutomation(document);
  }

  /** @throws AutomationNotFoundError */
  async get(organisationId: string, id: string): Promise<Automation> {
    const found = await this.find(organisationId, id);
    if (!found) throw new AutomationNotFoundError(id);
    return found;
  }

  /** Finds an automation to write to it: no other transaction that claims or deletes it commits beside this one. */
  async claim(organisationId: string, id: string, session: ClientSession): Promise<Automation | undefined> {
    const update = { $inc: { claims: 1 } };
    if (!(await this.#automations.updateOne(organisationId, { _id: id }, update, { session }))) return undefined;
    return this.find(organisationId, id, session);
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Automation>> {
    const source = { list: automationList, request, sizeOf: sizeOfAutomation };
    const { items, nextCursor } = await findPage(this.#automations, organisationId, source);
    return { items: items.map(toAutomation), nextCursor };
  }

  count(organisationId: string, session: ClientSession): Promise<number> {
    return this.#automations.count(organisationId, {}, { session });
  }

  async insert(organisationId: string, automation: Automation, session: ClientSession): Promise<void> {
    const { id: _id, name, description, settings, createdAt, updatedAt } = automation;
    const times = { created_at: createdAt, updated_at: updatedAt };
    const document = { _id, organisation_id: organisationId, name, description, current_version: null, ...times };
    const found = searchFields(automationSearch, document);
    const stored = { ...document, ...found, settings: toSettingsDocument(settings), claims: 0 };
    await this.#automations.insert(organisationId, stored, { session });
  }

  /** Those of the automations that have an owner. */
  async owned(organisationId: string, ids: readonly string[], session: ClientSession): Promise<OwnedAutomation[]> {
    const filter = { _id: { $in: [...ids] }, "settings.owner_member_id": { $gt: "" } };
    // A version may be large, and says nothing of owners.
    const found = await this.#automations.find(organisationId, filter, {
      session,
      sort: { _id: 1 },
      without: ["current_version"],
    });
    return found.flatMap(({ _id: id, name, settings }) => {
      const ownerMemberId = settings?.owner_member_id;
      if (!settings || !ownerMemberId) return [];
      return [{ id, name, ownerMemberId, draftsForOwner: settings.drafts_for_owner }];
    });
  }

  /** Those whose published version runs on the event, disabled ones left out. */
  async triggeredBy(organisationId: string, event: string): Promise<Automation[]> {
    const filter = { [triggerPath]: event, "settings.enabled": { $ne: false } };
    return (await this.#automations.find(organisationId, filter)).map(toAutomation);
  }

  /**
   * Which of the events some published version runs on, disabled ones included: one look at the index for all of them.
   * Answers by {@link eventKey}.
   */
  async listenedTo(events: readonly NamedEvent[]): Promise<ReadonlySet<string>> {
    const names = Map.groupBy(events, ({ organisationId }) => organisationId);
    const queries = [...names].map(([organisationId, of]) => ({
      organisationId,
      filter: { [triggerPath]: { $in: of.map(({ name }) => name) } },
    }));
    const found = await this.#automations.findAny(queries, { only: ["organisation_id", triggerPath] });
    return new Set(
      found.map(({ organisation_id: organisationId, current_version: version }) =>
        eventKey({ organisationId, name: version?.trigger?.event ?? "" }),
      ),
    );
  }

  /** Ids of those whose published version has a step that names the dataset, by creation. */
  async idsUsingDataset(organisationId: string, datasetId: string, session: ClientSession): Promise<string[]> {
    // The text leaves few to look into.
    const filter = { "current_version.steps.prompt_template": { $regex: datasetId, $options: "i" } };
    const found = await this.#automations.find(organisationId, filter, { session, sort: byCreation });
    const using = found.filter(({ current_version: version }) =>
      version?.steps.some((step) => usesDataset({ promptTemplate: step.prompt_template }, datasetId)),
    );
    return using.map(({ _id }) => _id);
  }

  /** Keeps how a claimed automation is run. */
  async setSettings(
    organisationId: string,
    { id, settings }: Pick<Automation, "id" | "settings">,
    session: ClientSession,
  ): Promise<void> {
    const update = { $set: { settings: toSettingsDocument(settings) } };
    await this.#automations.updateOne(organisationId, { _id: id }, update, { session });
  }

  /** Keeps which version of a claimed automation is published now. */
  async setCurrentVersion(
    organisationId: string,
    { id, currentVersion, updatedAt }: Pick<Automation, "id" | "currentVersion" | "updatedAt">,
    session: ClientSession,
  ): Promise<void> {
    const version = currentVersion ? toVersionDocument(currentVersion) : null;
    const update = { $set: { current_version: version, updated_at: updatedAt } };
    await this.#automations.updateOne(organisationId, { _id: id }, update, { session });
  }

  async delete(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#automations.deleteOne(organisationId, { _id: id }, { session });
  }
}

function sizeOfAutomation({ name, description, current_version: version }: AutomationDocument): number {
  return name.length + description.length + (version ? sizeOfVersion(version) : 0);
}

function toAutomation(document: AutomationDocument): Automation {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    name: document.name,
    description: document.description,
    currentVersion: document.current_version ? toVersion(document.current_version) : undefined,
    settings: document.settings ? toSettings(document.settings) : initialSettings,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

function toSettingsDocument(settings: AutomationSettings): SettingsDocument {
  return {
    enabled: settings.enabled,
    disabled_reason: settings.disabledReason ?? null,
    failures_until_disabled: settings.failuresUntilDisabled,
    failures_in_a_row: settings.failuresInARow,
    owner_member_id: settings.ownerMemberId ?? null,
    drafts_for_owner: settings.draftsForOwner,
  };
}

function toSettings(document: SettingsDocument): AutomationSettings {
  return {
    enabled: document.enabled,
    disabledReason: document.disabled_reason ?? undefined,
    failuresUntilDisabled: document.failures_until_disabled,
    failuresInARow: document.failures_in_a_row,
    ownerMemberId: document.owner_member_id ?? undefined,
    draftsForOwner: document.drafts_for_owner,
  };
}
