import type { Role } from "./role.ts";

/** A role that every organisation has and no caller can change. Their ids are in the order of the table. */
interface SystemRole {
  id: string;
  slug: string;
  name: string;
  /** `everything`: the whole catalogue but what belongs to the operator of the installation. */
  grants: "everything" | string[];
}

/** Permission of the operator of the installation; no role of an organisation holds it. */
export const operatorPermission = "organisations:manage";

/** To see what there is of everything that people of an organisation make. */
const reading = [
  "metrics:read",
  "workspaces:read",
  "dictionary:read",
  "data:read",
  "automations:read",
  "features:read",
  "quotas:read",
];
const readingModels = ["models:read", "deployments:read"];

const systemRoles: SystemRole[] = [
  { id: "00000000-0000-8000-8000-000000000001", slug: "administrator", name: "Administrator", grants: "everything" },
  {
    id: "00000000-0000-8000-8000-000000000002",
    slug: "engineer",
    name: "Engineer",
    grants: [
      "training:write",
      "training:command",
      ...reading,
      "workspaces:manage",
      "dictionary:write",
      "data:write",
      "automations:write",
      "automations:run",
      "emails:write",
      "emails:send",
      "features:write",
      "features:delete",
      ...readingModels,
      "models:write",
      "deployments:write",
      "deployments:promote",
      "deployments:predict",
      "oauth:link",
      "notebooks:use",
    ],
  },
  {
    id: "00000000-0000-8000-8000-000000000003",
    slug: "supervisor",
    name: "Supervisor",
    grants: ["training:command", "training:override", ...reading, ...readingModels],
  },
  {
    id: "00000000-0000-8000-8000-000000000004",
    slug: "trainer",
    name: "Trainer",
    grants: ["metrics:report", "metrics:read"],
  },
  {
    id: "00000000-0000-8000-8000-000000000005",
    slug: "viewer",
    name: "Viewer",
    grants: [...reading, ...readingModels],
  },
];

/** When system roles came into being, as far as their place in a list is concerned. */
const beforeAll = new Date(0);

/** The role of an organisation's first member. */
export const administratorRoleId = "00000000-0000-8000-8000-000000000001";

/** Whether an organisation may not use the slug for a role of its own. */
export function isSystemSlug(slug: string): boolean {
  return systemRoles.some((role) => role.slug === slug);
}

/** Whether the id is a system role's. */
export function isSystemRole(id: string): boolean {
  return systemRoles.some((role) => role.id === id);
}

/** The system roles as an organisation sees them. They are code, so a new permission reaches administrators at once. */
export function systemRolesOf(organisationId: string, catalogue: ReadonlySet<string>): Role[] {
  return systemRoles.map(({ id, slug, name, grants }) => ({
    id,
    organisationId,
    name,
    slug,
    isSystem: true,
    createdAt: beforeAll,
    permissionIds: grants === "everything" ? administratorPermissions(catalogue) : [...grants],
  }));
}

/** What an administrator may do, sorted. */
export function administratorPermissions(catalogue: ReadonlySet<string>): string[] {
  return [...catalogue].filter((permission) => permission !== operatorPermission).sort();
}
