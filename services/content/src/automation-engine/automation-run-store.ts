import { ListAutomationRunsRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/automations";
import {
  type ClientSession,
  type DocumentStore,
  type EventCause,
  type IndexPlan,
  Leases,
  newestFirst,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import {
  type AutomationRun,
  AutomationRunNotFoundError,
  hasEnded,
  maxKeptRuns,
  type RunStatus,
  retentionSeconds,
} from "./automation-run.ts";
import { type StepRunDocument, toStepRun, toStepRunDocument } from "./step-run-document.ts";

interface AutomationRunDocument extends TenantDocument {
  automation_id: string;
  version_id: string;
  status: RunStatus;
  /** Whether something is still to come. */
  open: boolean;
  started_by: string;
  input: string;
  error: string | null;
  steps: StepRunDocument[];
  cause: EventCause | null;
  created_at: Date;
  ended_at?: Date;
  /** When it is due; while it has a holder, the end of the lease. */
  due_at: Date;
  /** Who executes it. */
  holder: string | null;
  /** Executions in a row that broke off. Absent: none. */
  failures?: number;
  /** The id of what its step waits for. */
  waits_for: string | null;
}

export interface RunQuery extends ListPageRequest {
  automationId: string;
}

/** What a run may wait for. */
export interface EntityRef {
  organisationId: string;
  entityId: string;
}

export function waitingKey({ organisationId, entityId }: EntityRef): string {
  return `${organisationId} ${entityId}`;
}

const collection = "automation_runs";

const runList = new ListQuery(ListAutomationRunsRequestSchema);

/** The runs of the automations, each with what became of its steps. */
export class AutomationRunStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, automation_id: 1, created_at: -1, _id: -1 } },
      { name: "open", key: { organisation_id: 1, waits_for: 1 }, partialFilterExpression: { open: true } },
      { name: "claims", key: { organisation_id: 1, due_at: 1 }, partialFilterExpression: { open: true } },
      { name: "retention", key: { ended_at: 1 }, expireAfterSeconds: retentionSeconds },
    ],
  };

  /** Who executes which run. */
  readonly leases: Leases<AutomationRunDocument, AutomationRun>;
  readonly #runs: TenantCollection<AutomationRunDocument>;

  constructor(store: DocumentStore) {
    this.#runs = new TenantCollection(store, collection);
    const fields = { holder: "holder", expiresAt: "due_at", failures: "failures" };
    this.leases = new Leases(store, { collection, fields, wanted: { open: true }, read: toRun });
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<AutomationRun | undefined> {
    const document = await this.#runs.findOne(organisationId, { _id: id }, { session });
    return document && toRun(document);
  }

  /** @throws AutomationRunNotFoundError */
  async get(organisationId: string, id: string): Promise<AutomationRun> {
    const found = await this.find(organisationId, id);
    if (!found) throw new AutomationRunNotFoundError(id);
    return found;
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, { automationId, ...request }: RunQuery): Promise<Page<AutomationRun>> {
    const source = {
      list: runList,
      request,
      within: { automation_id: automationId },
      sizeOf: ({ input }: AutomationRunDocument) => input.length,
      without: ["steps"],
    };
    const { items, nextCursor } = await findPage(this.#runs, organisationId, source);
    return { items: items.map((document) => toRun({ ...document, steps: [] })), nextCursor };
  }

  /** How many runs of the organisation are under way. */
  countOpen(organisationId: string, session: ClientSession): Promise<number> {
    return this.#runs.count(organisationId, { open: true }, { session });
  }

  /** Ids of an automation's runs that are under way. */
  async openOf(organisationId: string, automationId: string): Promise<string[]> {
    const without = ["steps", "input"];
    const found = await this.#runs.find(organisationId, { automation_id: automationId, open: true }, { without });
    return found.map(({ _id }) => _id);
  }

  /** Whether a run of the version is under way. */
  async isOpen(organisationId: string, { automationId, versionId }: { automationId: string; versionId: string }) {
    const filter = { automation_id: automationId, version_id: versionId, open: true };
    return (await this.#runs.count(organisationId, filter)) > 0;
  }

  async insert(organisationId: string, run: AutomationRun, session: ClientSession): Promise<void> {
    const document = { ...toDocument(run), due_at: run.createdAt, holder: null, waits_for: null };
    await this.#runs.insert(organisationId, document, { session });
  }

  /** Keeps where the run and its last step stand. Answers whether the holder is still the one. */
  saveStep(run: AutomationRun, holder: string): Promise<boolean> {
    const last = run.steps.length - 1;
    const step = run.steps[last];
    const set = { status: run.status, ...(step ? { [`steps.${last}`]: toStepRunDocument(step) } : {}) };
    const filter = { _id: run.id, open: true, ...this.leases.fence(holder) };
    return this.#runs.updateOne(run.organisationId, filter, { $set: set });
  }

  /** Lets the run go until it is due, or something happens to what it waits for. Answers whether the holder was the one. */
  release(
    { organisationId, id }: AutomationRun,
    holder: string,
    { dueAt, waitsFor }: { dueAt: Date; waitsFor?: string },
  ): Promise<boolean> {
    const filter = { _id: id, open: true, ...this.leases.fence(holder) };
    const update = { $set: { ...this.leases.freed(dueAt), waits_for: waitsFor ?? null } };
    return this.#runs.updateOne(organisationId, filter, update);
  }

  /** Which of these ids some run waits for: one look at the index for all of them. Answers by {@link waitingKey}. */
  async waitedFor(entities: readonly EntityRef[]): Promise<ReadonlySet<string>> {
    const byOrganisation = Map.groupBy(entities, ({ organisationId }) => organisationId);
    const queries = [...byOrganisation].map(([organisationId, of]) => ({
      organisationId,
      filter: { open: true, waits_for: { $in: of.map(({ entityId }) => entityId) } },
    }));
    const found = await this.#runs.findAny(queries, { only: ["organisation_id", "waits_for"] });
    return new Set(
      found.map(({ organisation_id: organisationId, waits_for: entityId }) =>
        waitingKey({ organisationId, entityId: entityId ?? "" }),
      ),
    );
  }

  /** Makes due what waits for this. */
  async wake(organisationId: string, waitsFor: string, now: Date): Promise<void> {
    const filter = { open: true, waits_for: waitsFor, holder: null, due_at: { $gt: now } };
    await this.#runs.updateEach(organisationId, [{ filter, update: { $set: { due_at: now } } }]);
  }

  /** Keeps how a run that was under way ended; with `holder`, only if it holds the run. Answers whether it had an effect. */
  end(run: AutomationRun, holder: string | undefined, session: ClientSession): Promise<boolean> {
    const { status, open, error, steps, ended_at } = toDocument(run);
    const filter = { _id: run.id, open: true, ...(holder === undefined ? {} : this.leases.fence(holder)) };
    const update = {
      $set: { status, open, error, steps, holder: null, waits_for: null, ...(ended_at ? { ended_at } : {}) },
    };
    return this.#runs.updateOne(run.organisationId, filter, update, { session });
  }

  /** Forgets what an automation did before its latest runs. */
  async prune(organisationId: string, automationId: string): Promise<void> {
    const options = { sort: newestFirst, skip: maxKeptRuns, limit: 1, without: ["steps", "input"] };
    const [oldest] = await this.#runs.find(organisationId, { automation_id: automationId }, options);
    if (!oldest) return;
    const filter = { automation_id: automationId, open: false, created_at: { $lte: oldest.created_at } };
    await this.#runs.deleteMany(organisationId, filter);
  }

  async forget(organisationId: string, automationId: string): Promise<void> {
    await this.#runs.deleteMany(organisationId, { automation_id: automationId });
  }
}

function toDocument(run: AutomationRun): Omit<AutomationRunDocument, "due_at" | "holder" | "waits_for"> {
  return {
    _id: run.id,
    organisation_id: run.organisationId,
    automation_id: run.automationId,
    version_id: run.versionId,
    status: run.status,
    open: !hasEnded(run),
    started_by: run.startedBy,
    input: run.input,
    error: run.error ?? null,
    steps: run.steps.map(toStepRunDocument),
    cause: run.cause ?? null,
    created_at: run.createdAt,
    ...(run.endedAt ? { ended_at: run.endedAt } : {}),
  };
}

function toRun(document: AutomationRunDocument): AutomationRun {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    automationId: document.automation_id,
    versionId: document.version_id,
    status: document.status,
    startedBy: document.started_by,
    input: document.input,
    error: document.error ?? undefined,
    steps: document.steps.map(toStepRun),
    cause: document.cause ?? undefined,
    createdAt: document.created_at,
    endedAt: document.ended_at,
  };
}
