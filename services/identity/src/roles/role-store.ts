import { ListRolesRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  isDuplicateKey,
  type KeyedMutex,
  type Page,
  TenantCollection,
  type TenantDocument,
  toRead,
} from "@aiplatform/document-store";
import { type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { type Role, RoleNotFoundError, RoleSlugTakenError } from "./role.ts";
import { isSystemRole, systemRolesOf } from "./system-roles.ts";

interface RoleDocument extends TenantDocument {
  name: string;
  slug: string;
  permission_ids: string[];
  created_at: Date;
  /** How often a member was given the role; counted to make deleting it conflict with giving it. */
  assignments: number;
}

const collection = "roles";

const roleList = new ListQuery(ListRolesRequestSchema, {
  // Roles that are stored are not the system's, and say nothing of it.
  bindings: { is_system: { path: "is_system", encode: (isSystem) => isSystem || null } },
  defaultSort: oldestFirst,
  unique: ["slug"],
});

/** The roles of the organisations; the system's own are added from their table. */
export class RoleStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "slug", key: { organisation_id: 1, slug: 1 }, unique: true },
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
    ],
  };

  readonly #roles: TenantCollection<RoleDocument>;
  readonly #catalogue: ReadonlySet<string>;
  readonly #mutex: KeyedMutex;

  constructor(store: DocumentStore, { catalogue, mutex }: { catalogue: ReadonlySet<string>; mutex: KeyedMutex }) {
    this.#roles = new TenantCollection(store, collection);
    this.#catalogue = catalogue;
    this.#mutex = mutex;
  }

  /** @throws RoleSlugTakenError */
  async insert(organisationId: string, role: Role, session: ClientSession): Promise<void> {
    try {
      await this.#roles.insert(organisationId, toDocument(role), { session });
    } catch (error) {
      throw isDuplicateKey(error) ? new RoleSlugTakenError(role.slug) : error;
    }
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<Role | undefined> {
    const [role] = await this.findAll(organisationId, [id], session);
    return role;
  }

  /** @throws RoleNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<Role> {
    const found = await this.find(organisationId, id, session);
    if (!found) throw new RoleNotFoundError(id);
    return found;
  }

  /** Those of the system among the organisation's own. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Role>> {
    const { cursor } = request;
    const selection = roleList.read(request);
    const options = { sort: selection.sort, limit: toRead(request) };
    const own = await this.#roles.find(organisationId, selection.after(cursor), options);
    const system = systemRolesOf(organisationId, this.#catalogue).map((role) => ({
      ...toDocument(role),
      is_system: true,
    }));
    const { items, nextCursor } = selection.page(
      selection.inOrder([...selection.among(system, cursor), ...own]),
      request,
    );
    return { items: items.map(toRole), nextCursor };
  }

  /** Custom roles of the organisation. */
  count(organisationId: string, session: ClientSession): Promise<number> {
    return this.#roles.count(organisationId, {}, { session });
  }

  /** Those of the ids that exist in the organisation. */
  async findAll(organisationId: string, ids: readonly string[], session?: ClientSession): Promise<Role[]> {
    const system = systemRolesOf(organisationId, this.#catalogue).filter(({ id }) => ids.includes(id));
    const others = ids.filter((id) => !system.some((role) => role.id === id));
    if (others.length === 0) return system;
    const own = await this.#roles.find(organisationId, { _id: { $in: others } }, { session });
    return [...system, ...own.map(toRole)];
  }

  /**
   * Lets no transaction that deletes one of the roles commit beside this one. Cheapest before anything is read.
   * @throws RoleNotFoundError
   */
  async noteAssignment(organisationId: string, ids: readonly string[], session: ClientSession): Promise<void> {
    const own = ids.filter((id) => !isSystemRole(id));
    if (own.length > 0) await this.#mutex.acquire(organisationId, session);
    for (const id of own) {
      const exists = await this.#roles.updateOne(
        organisationId,
        { _id: id },
        { $inc: { assignments: 1 } },
        { session },
      );
      if (!exists) throw new RoleNotFoundError(id);
    }
  }

  async update(
    organisationId: string,
    { id, name, permissionIds }: Pick<Role, "id" | "name" | "permissionIds">,
    session: ClientSession,
  ): Promise<void> {
    const update = { $set: { name, permission_ids: permissionIds } };
    await this.#roles.updateOne(organisationId, { _id: id }, update, { session });
  }

  async delete(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#roles.deleteOne(organisationId, { _id: id }, { session });
  }
}

function toDocument({ id, organisationId, name, slug, permissionIds, createdAt }: Role): RoleDocument {
  return {
    _id: id,
    organisation_id: organisationId,
    name,
    slug,
    permission_ids: permissionIds,
    created_at: createdAt,
    assignments: 0,
  };
}

function toRole(document: RoleDocument): Role {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    name: document.name,
    slug: document.slug,
    isSystem: isSystemRole(document._id),
    permissionIds: document.permission_ids,
    createdAt: document.created_at,
  };
}
