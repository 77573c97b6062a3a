import { isDeepStrictEqual } from "node:util";
import type { QuotaLimits } from "./quota-table.ts";

/** What the operator has set for an organisation. */
export interface OrganisationLimits {
  readonly organisationId: string;
  readonly limits: QuotaLimits;
  /** Grows with each change; 0 where nothing was ever set. */
  readonly revision: number;
}

/** Part of a list in the order of the organisations' ids. */
export interface LimitsPage {
  readonly items: readonly OrganisationLimits[];
  readonly isLast: boolean;
}

/** What is known of an organisation, and what holds instead. */
export interface LimitsDifference {
  readonly known: OrganisationLimits;
  readonly actual: OrganisationLimits;
}

/** The differences within the organisations that both pages cover. */
export interface LimitsComparison {
  readonly differences: readonly LimitsDifference[];
  /** The organisation after which the next pages begin; undefined where both lists end here. */
  readonly next: string | undefined;
}

export function isSameLimits(one: QuotaLimits, other: QuotaLimits): boolean {
  return isDeepStrictEqual(one, other);
}

/** Compares a page of what a service knows with a page of what identity has, both after the same organisation. */
export function compareLimits(known: LimitsPage, actual: LimitsPage): LimitsComparison {
  const next = coveredBy([known, actual]);
  const within = ({ items }: LimitsPage) =>
    new Map(
      items.flatMap((item) => (next === undefined || item.organisationId <= next ? [[item.organisationId, item]] : [])),
    );
  const [ofKnown, ofActual] = [within(known), within(actual)];
  const ids = [...new Set([...ofKnown.keys(), ...ofActual.keys()])].sort();
  const differences = ids.flatMap((organisationId) => {
    const none = { organisationId, limits: {}, revision: 0 };
    const difference = { known: ofKnown.get(organisationId) ?? none, actual: ofActual.get(organisationId) ?? none };
    return isSame(difference) ? [] : [difference];
  });
  return { differences, next };
}

/** The last organisation of which both lists say all; undefined where that is every one. */
function coveredBy(pages: readonly LimitsPage[]): string | undefined {
  const ends = pages.flatMap(({ items, isLast }) => (isLast ? [] : items.slice(-1)));
  return ends
    .map(({ organisationId }) => organisationId)
    .sort()
    .at(0);
}

function isSame({ known, actual }: LimitsDifference): boolean {
  return known.revision === actual.revision && isSameLimits(known.limits, actual.limits);
}
