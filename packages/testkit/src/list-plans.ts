import { randomUUID } from "node:crypto";
import { services } from "@aiplatform/contract/services";
import type { DocumentStore } from "@aiplatform/document-store";
import { type ListField, listDeclaration } from "@aiplatform/transcoder";
import type { DescMessage } from "@bufbuild/protobuf";

/** What a list can be asked for. */
export interface ListQueryTexts {
  filter: string;
  orderBy: string;
}

/** A filter for each field and operator that a list declares, and each of its orders in both directions. */
export function declaredQueries(request: DescMessage): ListQueryTexts[] {
  const { fields = [] } = listDeclaration(request) ?? {};
  const filters = fields.flatMap((field) => field.operators.map((operator) => filterOf(field, operator)));
  const orders = fields.filter(({ isSortable }) => isSortable).map(pathOf);
  return [
    ...["", ...filters].map((filter) => ({ filter, orderBy: "" })),
    ...orders.flatMap((path) => [`${path} asc`, `${path} desc`]).map((orderBy) => ({ filter: "", orderBy })),
  ];
}

function pathOf({ path, isMap }: ListField): string {
  return isMap ? `${path}.key` : path;
}

function filterOf(field: ListField, operator: string): string {
  const values = {
    text: "text",
    id: randomUUID(),
    number: "1",
    boolean: "true",
    enum: field.values[0] ?? "",
    timestamp: "2026-03-02T09:00:00Z",
    scalar: "1",
  };
  const isAny = operator === ":" && !field.isRepeated;
  return `${pathOf(field)} ${operator} ${isAny ? "*" : values[field.type]}`;
}

/** Names of the requests of a domain's lists, such as `identity`: of all that take a filter. */
export function declaredLists(domain: string): string[] {
  const ofDomain = services.filter(({ typeName }) => typeName.startsWith(`aiplatform.${domain}.`));
  const inputs = ofDomain.flatMap(({ methods }) => methods.map(({ input }) => input));
  return inputs.filter((input) => listDeclaration(input) !== undefined).map(({ typeName }) => typeName);
}

interface ProfiledQuery {
  planSummary?: string;
  hasSortStage?: boolean;
  command: { filter?: object; query?: object; pipeline?: { $match?: object }[] };
}

/**
 * Makes each query, and names those for which the database read anything but an index that begins with the organisation, or the ids it
 * was given; or put documents in order that no filter had found. The database is the test's own.
 */
export async function withoutIndex(
  { database }: Pick<DocumentStore, "database">,
  queries: readonly ListQueryTexts[],
  ask: (query: ListQueryTexts) => Promise<unknown>,
): Promise<string[]> {
  const bad: string[] = [];
  for (const query of queries) {
    await database.command({ profile: 2, slowms: 0 });
    await ask(query);
    await database.command({ profile: 0 });
    const profile = database.collection<ProfiledQuery>("system.profile");
    const all = await profile.find({ op: { $in: ["query", "command"] }, planSummary: { $exists: true } }).toArray();
    await profile.drop();
    // Workers of the service ask for what is due, of whatever organisation.
    const plans = all.filter(isOfOwner);
    const isBad = plans.some((plan) => !isByIndex(plan) || (query.filter === "" && plan.hasSortStage === true));
    if (isBad || plans.length === 0) bad.push(`${query.filter} ${query.orderBy}: ${JSON.stringify(plans)}`);
  }
  return bad;
}

/** Whose documents a query reads: an organisation's, or those of the installation. */
const owners = ["organisation_id", "installation"];

function isOfOwner(query: ProfiledQuery): boolean {
  const isOfAny = (value: unknown) => typeof value === "object" && value !== null && "$gt" in value;
  return Object.entries(filterOfQuery(query)).some(([field, value]) => owners.includes(field) && !isOfAny(value));
}

function filterOfQuery({ command: { filter, query, pipeline } }: ProfiledQuery): object {
  return filter ?? query ?? pipeline?.[0]?.$match ?? {};
}

/** Whether each index that was read begins with the owner, or finds the ids that the query names. */
function isByIndex(query: ProfiledQuery): boolean {
  const { planSummary = "" } = query;
  const first = [...planSummary.matchAll(/\{ ([^\s:]+):/g)].map(([, field = ""]) => field);
  const allowed = "_id" in filterOfQuery(query) ? [...owners, "_id"] : owners;
  return !planSummary.includes("COLLSCAN") && first.every((field) => allowed.includes(field));
}
