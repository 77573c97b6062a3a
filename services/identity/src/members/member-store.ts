import {
  type ClientSession,
  type DocumentStore,
  DuplicateKeyError,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { type Member, MemberTakenError } from "./member.ts";

interface MemberDocument extends TenantDocument {
  display_name: string;
  email: string;
  issuer: string;
  subject: string;
  role_ids: string[];
  active: boolean;
  created_at: Date;
}

const collection = "members";

/** The members of the organisations. */
export class MemberStore {
  static readonly indexes: IndexPlan = {
    collection,
    indexes: [
      { name: "email", key: { organisation_id: 1, email: 1 }, unique: true },
      {
        name: "subject",
        key: { organisation_id: 1, issuer: 1, subject: 1 },
        unique: true,
        // Members whom no issuer knows are many and all alike.
        partialFilterExpression: { subject: { $gt: "" } },
      },
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
    ],
  };

  readonly #members: TenantCollection<MemberDocument>;

  constructor(store: DocumentStore) {
    this.#members = new TenantCollection(store, collection);
  }

  /** Rejects with MemberTakenError. */
  async insert(organisationId: string, member: Member, session?: ClientSession): Promise<void> {
    try {
      await this.#members.insert(organisationId, toDocument(member), { session });
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      throw new MemberTakenError(error.index === "email" ? "email" : "subject");
    }
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<Member | undefined> {
    return toMember(await this.#members.findOne(organisationId, { _id: id }, { session }));
  }

  /** The member for whom tokens of this issuer and subject stand. */
  async findBySubject(organisationId: string, issuer: string, subject: string): Promise<Member | undefined> {
    return toMember(await this.#members.findOne(organisationId, { issuer, subject }));
  }

  /** All, by creation. */
  async list(organisationId: string): Promise<Member[]> {
    const documents = await this.#members.find(organisationId, {}, { sort: { created_at: 1, _id: 1 } });
    return documents.map(toExistingMember);
  }

  async setRoles(organisationId: string, id: string, roleIds: string[], session: ClientSession): Promise<void> {
    await this.#members.updateOne(organisationId, { _id: id }, { $set: { role_ids: roleIds } }, { session });
  }

  async deactivate(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#members.updateOne(organisationId, { _id: id }, { $set: { active: false } }, { session });
  }
}

function toDocument(member: Member): MemberDocument {
  return {
    _id: member.id,
    organisation_id: member.organisationId,
    display_name: member.displayName,
    email: member.email,
    issuer: member.issuer,
    subject: member.subject,
    role_ids: member.roleIds,
    active: member.active,
    created_at: member.createdAt,
  };
}

function toMember(document: MemberDocument | undefined): Member | undefined {
  return document && toExistingMember(document);
}

function toExistingMember(document: MemberDocument): Member {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    displayName: document.display_name,
    email: document.email,
    issuer: document.issuer,
    subject: document.subject,
    roleIds: document.role_ids,
    active: document.active,
    createdAt: document.created_at,
  };
}
