import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  Leases,
  TenantCollection,
  type TenantDocument,
  translated,
} from "@aiplatform/document-store";
import {
  autoDelayMs,
  type GroupingRunType,
  type GroupingStatus,
  type GroupingType,
  type WorkspaceSettings,
} from "./workspace-settings.ts";

interface SettingsDocument extends TenantDocument {
  workspaces_enabled: boolean;
  auto_grouping_enabled: boolean;
  grouping_status: GroupingStatus;
  last_grouping_run_type: GroupingType | null;
  last_grouping_started_at: Date | null;
  last_grouping_completed_at: Date | null;
  last_grouping_error: string | null;
  grouping_algorithm_version: string | null;
  /** `take_up_at`: when it is due; while it has a holder, the end of the lease. */
  run: { id: string; type: GroupingRunType; attempts: number; holder: string | null; take_up_at: Date } | null;
  auto_due_at: Date | null;
  /** Missing in documents of earlier versions: 0. */
  auto_rechecks?: number;
  created_at: Date;
  updated_at: Date;
}

const collection = "workspace_settings";
/** Before anything: every time that there is comes after it, so that a query can say "is there" as its index does. */
const epoch = new Date(0);
const hasRun = { "run.id": { $gt: "" } };

/** What each organisation has decided of workspaces: one document each, from its first change on. */
export class WorkspaceSettingsStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "claims", key: { organisation_id: 1, "run.take_up_at": 1 }, partialFilterExpression: hasRun },
      { name: "due", key: { auto_due_at: 1 }, partialFilterExpression: { auto_due_at: { $gt: epoch } } },
    ],
  };

  /** Who executes which run. */
  readonly leases: Leases<SettingsDocument, WorkspaceSettings>;
  readonly #settings: TenantCollection<SettingsDocument>;
  /** For the search over all organisations, which is part of no request. */
  readonly #all: Collection<SettingsDocument>;

  constructor(store: DocumentStore) {
    this.#settings = new TenantCollection(store, collection);
    this.#all = store.database.collection<SettingsDocument>(collection);
    const fields = { holder: "run.holder", expiresAt: "run.take_up_at", failures: "run.attempts" };
    this.leases = new Leases(store, { collection, fields, wanted: hasRun, read: toSettings });
  }

  async find(organisationId: string, session?: ClientSession): Promise<WorkspaceSettings | undefined> {
    const document = await this.#settings.findOne(organisationId, {}, { session });
    return document && toSettings(document);
  }

  /** Stores the settings. Of two transactions that read the same ones and keep theirs, one is repeated. */
  async save(organisationId: string, settings: WorkspaceSettings, session: ClientSession): Promise<void> {
    const document = toDocument(settings);
    if (await this.#settings.replaceIf(organisationId, document, {}, { session })) return;
    await this.#settings.insert(organisationId, document, { session });
  }

  /**
   * Has a run queued for what arrived now, a moment later, where that is wanted and no first look is due yet. A first look that is due stays
   * unwritten, so that the transactions of a burst do not conflict; its rechecks find what it comes too early for.
   */
  async scheduleGrouping(organisationId: string, arrivedAt: Date, session: ClientSession): Promise<void> {
    const wanted = {
      workspaces_enabled: true,
      auto_grouping_enabled: true,
      $or: [{ auto_due_at: null }, { auto_rechecks: { $gt: 0 } }],
    };
    const due = { $set: { auto_due_at: new Date(arrivedAt.getTime() + autoDelayMs), auto_rechecks: 0 } };
    await this.#settings.updateOne(organisationId, wanted, due, { session });
  }

  /** Organisations in which something new waits to be grouped and no run is there for it, with when that is due. The first is due first. */
  async firstDueOrganisations(limit: number): Promise<{ organisationId: string; dueAt: Date }[]> {
    const filter = { auto_due_at: { $gt: epoch }, run: null };
    const projection = { organisation_id: 1, auto_due_at: 1 };
    const found = this.#all.find(filter, { sort: { auto_due_at: 1 }, limit, projection });
    const documents = await translated(() => found.toArray());
    return documents.map(({ organisation_id, auto_due_at }) => ({
      organisationId: organisation_id,
      dueAt: auto_due_at ?? epoch,
    }));
  }
}

function toDocument(settings: WorkspaceSettings): SettingsDocument {
  const { organisationId, run } = settings;
  return {
    _id: organisationId,
    organisation_id: organisationId,
    workspaces_enabled: settings.workspacesEnabled,
    auto_grouping_enabled: settings.autoGroupingEnabled,
    grouping_status: settings.groupingStatus,
    last_grouping_run_type: settings.lastGroupingRunType ?? null,
    last_grouping_started_at: settings.lastGroupingStartedAt ?? null,
    last_grouping_completed_at: settings.lastGroupingCompletedAt ?? null,
    last_grouping_error: settings.lastGroupingError ?? null,
    grouping_algorithm_version: settings.groupingAlgorithmVersion ?? null,
    run: run
      ? { id: run.id, type: run.type, attempts: run.attempts, holder: run.holder ?? null, take_up_at: run.dueAt }
      : null,
    auto_due_at: settings.autoDueAt ?? null,
    auto_rechecks: settings.autoRechecks ?? 0,
    created_at: settings.createdAt,
    updated_at: settings.updatedAt,
  };
}

function toSettings({ run, ...document }: SettingsDocument): WorkspaceSettings {
  return {
    organisationId: document.organisation_id,
    workspacesEnabled: document.workspaces_enabled,
    autoGroupingEnabled: document.auto_grouping_enabled,
    groupingStatus: document.grouping_status,
    lastGroupingRunType: document.last_grouping_run_type ?? undefined,
    lastGroupingStartedAt: document.last_grouping_started_at ?? undefined,
    lastGroupingCompletedAt: document.last_grouping_completed_at ?? undefined,
    lastGroupingError: document.last_grouping_error ?? undefined,
    groupingAlgorithmVersion: document.grouping_algorithm_version ?? undefined,
    run: run
      ? { id: run.id, type: run.type, attempts: run.attempts, holder: run.holder || undefined, dueAt: run.take_up_at }
      : undefined,
    autoDueAt: document.auto_due_at ?? undefined,
    autoRechecks: document.auto_rechecks || undefined,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
