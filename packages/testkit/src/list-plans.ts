import { randomUUID } from "node:crypto";
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

interface ProfiledQuery {
  planSummary?: string;
  hasSortStage?: boolean;
}

/**
 * Makes each query, and names those for which the database read a whole collection, or put documents in order that no filter
 * had found. The database is the test's own.
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
    // Workers of the service ask for what is due, of whatever organisation.
    const ofLists = {
      op: "query",
      planSummary: { $exists: true },
      $or: ["organisation_id", "installation"].map((owner) => ({ [`command.filter.${owner}`]: { $exists: true } })),
    };
    const plans = await profile.find(ofLists).toArray();
    await profile.drop();
    const isBad = plans.some(
      ({ planSummary, hasSortStage }) =>
        planSummary?.includes("COLLSCAN") || (query.filter === "" && hasSortStage === true),
    );
    if (isBad || plans.length === 0) bad.push(`${query.filter} ${query.orderBy}: ${JSON.stringify(plans)}`);
  }
  return bad;
}
