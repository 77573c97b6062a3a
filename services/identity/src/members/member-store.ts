import { ListMembersRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  DuplicateKeyError,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
  translated,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "@aiplatform/search";
import { administratorRoleId } from "../roles/system-roles.ts";
import { type Member, MemberNotFoundError, type MemberStatus, MemberTakenError } from "./member.ts";

interface MemberDocument extends TenantDocument, Partial<SearchFields> {
  display_name: string;
  email: string;
  issuer: string;
  subject: string;
  role_ids: string[];
  status: MemberStatus;
  created_at: Date;
  last_seen_at?: Date;
  /** Absent: they want e-mails, as all members did before they were asked. */
  email_opted_out?: boolean;
}

const collection = "members";

export const memberSearch: SearchedCollection = {
  kind: SearchKind.MEMBER,
  collection,
  name: "display_name",
  texts: ["email"],
  parameters: { member_id: "_id" },
  orderIndex: "creation",
  unarchived: { status: { $ne: "inactive" } },
};

const memberList = new ListQuery(ListMembersRequestSchema, { defaultSort: oldestFirst, unique: ["email"] });
/** Most organisations that are looked at for one subject or address. */
const maxOrganisations = 100;

export class MemberStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
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
      { name: "by_name", key: { organisation_id: 1, display_name: 1, _id: 1 } },
      { name: "status", key: { organisation_id: 1, status: 1 } },
      searchIndex,
      { name: "role", key: { organisation_id: 1, role_ids: 1 } },
      { name: "subject_anywhere", key: { issuer: 1, subject: 1 } },
      { name: "email_anywhere", key: { email: 1 } },
    ],
  };

  readonly #members: TenantCollection<MemberDocument>;
  readonly #everywhere: Collection<MemberDocument>;

  constructor(store: DocumentStore) {
    this.#members = new TenantCollection(store, collection);
    this.#everywhere = store.database.collection<MemberDocument>(collection);
  }

  /**
   * Gives a status to members who were stored with `active` in its place, before there were invitations. Runs at every
   * start, before members are looked up: without a status they could not act. Repeating it changes nothing.
   */
  async replaceActiveByStatus(): Promise<void> {
    const allowed = { $cond: [{ $eq: ["$subject", ""] }, "invited", "active"] };
    const status = { $cond: ["$active", allowed, "inactive"] };
    const filter = { active: { $exists: true }, status: { $exists: false } };
    await translated(() => this.#everywhere.updateMany(filter, [{ $set: { status } }, { $unset: "active" }]));
  }

  /** @throws MemberTakenError */
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

  /** @throws MemberNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<Member> {
    const found = await this.find(organisationId, id, session);
    if (!found) throw new MemberNotFoundError(id);
    return found;
  }

  /** Those of the ids that are members, in no particular order. */
  async findAll(organisationId: string, ids: readonly string[]): Promise<Member[]> {
    const found = await this.#members.find(organisationId, { _id: { $in: [...ids] } });
    return found.map(toExistingMember);
  }

  /** The member for whom tokens of this issuer and subject stand. */
  async findBySubject(organisationId: string, issuer: string, subject: string): Promise<Member | undefined> {
    return toMember(await this.#members.findOne(organisationId, { issuer, subject }));
  }

  /** In whichever organisation: ids are unique over all of them, and the notebook hub knows no organisation. */
  async findEverywhere(id: string): Promise<Member | undefined> {
    return toMember((await translated(() => this.#everywhere.findOne({ _id: id }))) ?? undefined);
  }

  /** In all organisations: the token names none, so issuer and subject decide. */
  async findEverywhereBySubject(issuer: string, subject: string): Promise<Member[]> {
    const found = await translated(() => this.#everywhere.find({ issuer, subject }).limit(maxOrganisations).toArray());
    return found.map(toExistingMember);
  }

  /** Organisations in which the address belongs to a member who is not deactivated. */
  async organisationsWithEmail(email: string): Promise<string[]> {
    const filter = { email, status: { $ne: "inactive" as const } };
    const found = await translated(() => this.#everywhere.find(filter).limit(maxOrganisations).toArray());
    return found.map(({ organisation_id }) => organisation_id);
  }

  /**
   * Compare-and-set: makes the member who was invited with the address active, and the issuer's subject theirs.
   * Undefined: no member is invited with it (or no longer).
   * @throws MemberTakenError when the subject stands for another member.
   */
  async join(
    organisationId: string,
    { email, issuer, subject }: Pick<Member, "email" | "issuer" | "subject">,
    session: ClientSession,
  ): Promise<Member | undefined> {
    const update = { $set: { issuer, subject, status: "active" as const } };
    try {
      const filter = { email, status: "invited" as const, subject: "" };
      if (!(await this.#members.updateOne(organisationId, filter, update, { session }))) return undefined;
    } catch (error) {
      throw error instanceof DuplicateKeyError ? new MemberTakenError("subject") : error;
    }
    return toMember(await this.#members.findOne(organisationId, { issuer, subject }, { session }));
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Member>> {
    const source = { list: memberList, request };
    const { items, nextCursor } = await findPage(this.#members, organisationId, source);
    return { items: items.map(toExistingMember), nextCursor };
  }

  /** Those who are active or invited. */
  countAllowed(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#members.count(organisationId, { status: { $in: ["active", "invited"] } }, { session });
  }

  /** Whether any member holds the role, active or not. */
  async hasRoleHolder(organisationId: string, roleId: string, session: ClientSession): Promise<boolean> {
    return (await this.#members.findOne(organisationId, { role_ids: roleId }, { session })) !== undefined;
  }

  /** Whether another active member holds the role `administrator`. */
  async hasOtherAdministrator(
    { organisationId, id }: Pick<Member, "organisationId" | "id">,
    statuses: readonly MemberStatus[],
    session: ClientSession,
  ): Promise<boolean> {
    const filter = { role_ids: administratorRoleId, status: { $in: statuses }, _id: { $ne: id } };
    return (await this.#members.findOne(organisationId, filter, { session })) !== undefined;
  }

  async setRoles(
    organisationId: string,
    { id, roleIds }: Pick<Member, "id" | "roleIds">,
    session: ClientSession,
  ): Promise<void> {
    await this.#members.updateOne(organisationId, { _id: id }, { $set: { role_ids: roleIds } }, { session });
  }

  async setStatus(
    organisationId: string,
    { id, status }: Pick<Member, "id" | "status">,
    session: ClientSession,
  ): Promise<void> {
    await this.#members.updateOne(organisationId, { _id: id }, { $set: { status } }, { session });
  }

  async setEmailPreference(
    organisationId: string,
    { id, emailOptedOut }: Pick<Member, "id" | "emailOptedOut">,
    session: ClientSession,
  ): Promise<void> {
    const update = { $set: { email_opted_out: emailOptedOut } };
    await this.#members.updateOne(organisationId, { _id: id }, update, { session });
  }

  /** Never moves the time back, whichever replica comes last. */
  async setLastSeen(organisationId: string, id: string, at: Date): Promise<void> {
    await this.#members.updateOne(organisationId, { _id: id }, { $max: { last_seen_at: at } });
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
    status: member.status,
    created_at: member.createdAt,
    ...(member.lastSeenAt ? { last_seen_at: member.lastSeenAt } : {}),
    email_opted_out: member.emailOptedOut,
    ...searchFields(memberSearch, { display_name: member.displayName, email: member.email }),
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
    status: document.status,
    createdAt: document.created_at,
    lastSeenAt: document.last_seen_at,
    emailOptedOut: document.email_opted_out ?? false,
  };
}
