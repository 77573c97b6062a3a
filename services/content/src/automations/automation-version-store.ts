import { ListAutomationVersionsRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/automations";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import type { Version } from "./automation.ts";
import { sizeOfVersion, toVersion, toVersionDocument, type VersionDocument } from "./version-document.ts";

const collection = "automation_versions";

const versionList = new ListQuery(ListAutomationVersionsRequestSchema);

/** The versions of the automations. Written only by who has claimed the automation. */
export class AutomationVersionStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, automation_id: 1, created_at: -1, _id: -1 } },
      {
        name: "draft",
        key: { organisation_id: 1, automation_id: 1 },
        unique: true,
        partialFilterExpression: { status: "draft" },
      },
    ],
  };

  readonly #versions: TenantCollection<VersionDocument>;

  constructor(store: DocumentStore) {
    this.#versions = new TenantCollection(store, collection);
  }

  async find(organisationId: string, id: string): Promise<Version | undefined> {
    const document = await this.#versions.findOne(organisationId, { _id: id });
    return document && toVersion(document);
  }

  async findDraft(organisationId: string, automationId: string, session?: ClientSession): Promise<Version | undefined> {
    const filter = { automation_id: automationId, status: "draft" as const };
    const document = await this.#versions.findOne(organisationId, filter, { session });
    return document && toVersion(document);
  }

  /** Those that are in use no more, and whose steps were let act. */
  async formerWithDelegation(
    organisationId: string,
    automationId: string,
  ): Promise<Pick<Version, "id" | "delegationId">[]> {
    const filter = { automation_id: automationId, status: "superseded" as const, delegation_id: { $gt: "" } };
    const found = await this.#versions.find(organisationId, filter, { without: ["steps", "transitions"], limit: 100 });
    return found.map(({ _id: id, delegation_id }) => ({ id, delegationId: delegation_id ?? undefined }));
  }

  /** Keeps that a version's steps may act no more. */
  async forgetDelegation(organisationId: string, id: string): Promise<void> {
    await this.#versions.updateOne(organisationId, { _id: id }, { $set: { delegation_id: null } });
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, automationId: string, request: ListPageRequest): Promise<Page<Version>> {
    const source = { list: versionList, request, within: { automation_id: automationId }, sizeOf: sizeOfVersion };
    const { items, nextCursor } = await findPage(this.#versions, organisationId, source);
    return { items: items.map(toVersion), nextCursor };
  }

  async insert(organisationId: string, version: Version, session: ClientSession): Promise<void> {
    await this.#versions.insert(organisationId, toVersionDocument(version), { session });
  }

  async update(organisationId: string, version: Version, session: ClientSession): Promise<void> {
    const { _id, organisation_id, ...fields } = toVersionDocument(version);
    await this.#versions.updateOne(organisationId, { _id }, { $set: fields }, { session });
  }

  async delete(organisationId: string, automationId: string, session: ClientSession): Promise<void> {
    await this.#versions.deleteMany(organisationId, { automation_id: automationId }, { session });
  }
}
