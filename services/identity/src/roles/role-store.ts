import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  isDuplicateKey,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { type Role, RoleSlugTakenError } from "./role.ts";
import { systemRolesOf } from "./system-roles.ts";

interface RoleDocument extends TenantDocument {
  name: string;
  slug: string;
  permission_ids: string[];
  created_at: Date;
}

const collection = "roles";

/** The roles of the organisations; the system's own are added from their table. */
export class RoleStore {
  static readonly indexes: IndexPlan = {
    collection,
    indexes: [
      { name: "slug", key: { organisation_id: 1, slug: 1 }, unique: true },
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
    ],
  };

  readonly #roles: TenantCollection<RoleDocument>;
  readonly #catalogue: ReadonlySet<string>;

  constructor(store: DocumentStore, catalogue: ReadonlySet<string>) {
    this.#roles = new TenantCollection(store, collection);
    this.#catalogue = catalogue;
  }

  /** Rejects with RoleSlugTakenError. */
  async insert(organisationId: string, role: Role, createdAt: Date, session: ClientSession): Promise<void> {
    const { id, name, slug, permissionIds } = role;
    const fields = { name, slug, permission_ids: permissionIds, created_at: createdAt };
    try {
      await this.#roles.insert(organisationId, { _id: id, organisation_id: organisationId, ...fields }, { session });
    } catch (error) {
      throw isDuplicateKey(error) ? new RoleSlugTakenError(slug) : error;
    }
  }

  /** System roles first, then by creation. */
  async list(organisationId: string): Promise<Role[]> {
    const own = await this.#roles.find(organisationId, {}, { sort: { created_at: 1, _id: 1 } });
    return [...systemRolesOf(organisationId, this.#catalogue), ...own.map(toRole)];
  }

  /** Those of the ids that exist in the organisation. */
  async findAll(organisationId: string, ids: readonly string[], session?: ClientSession): Promise<Role[]> {
    const system = systemRolesOf(organisationId, this.#catalogue).filter(({ id }) => ids.includes(id));
    const others = ids.filter((id) => !system.some((role) => role.id === id));
    if (others.length === 0) return system;
    const own = await this.#roles.find(organisationId, { _id: { $in: others } }, { session });
    return [...system, ...own.map(toRole)];
  }
}

function toRole(document: RoleDocument): Role {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    name: document.name,
    slug: document.slug,
    isSystem: false,
    permissionIds: document.permission_ids,
  };
}
