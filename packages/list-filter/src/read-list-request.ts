import type { ListDeclaration } from "@aiplatform/transcoder";
import { type Comparison, checkFilter } from "./check-filter.ts";
import { InvalidListRequestError, ListFault, type ListParameter } from "./list-fault.ts";
import { type Expression, parseFilter } from "./parse-filter.ts";
import { type ListOrder, parseOrder } from "./parse-order.ts";

/** What a request asks for. */
export interface ListRequest {
  /** Empty, as by default: everything. */
  filter?: string;
  /** Empty, as by default: the order of the list. */
  orderBy?: string;
}

/** A filter and an order that a list takes. */
export interface CheckedListRequest {
  /** Undefined: everything. */
  condition: Expression<Comparison> | undefined;
  /** Undefined: the order of the list. */
  order: ListOrder | undefined;
}

/**
 * What a request asks of a list with these fields, all of its faults at once. For lists whose fields are known only when they are
 * read; those of the contract have a `ListQuery`. `furtherCheck` refuses what the fields cannot say, by a ListFault.
 * @throws InvalidListRequestError
 */
export function readListRequest(
  list: ListDeclaration,
  { filter = "", orderBy = "" }: ListRequest,
  furtherCheck: (comparison: Comparison) => void = () => undefined,
): CheckedListRequest {
  const faults: { field: ListParameter; fault: ListFault }[] = [];
  const attempt = <T>(field: ListParameter, parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (fault) {
      if (!(fault instanceof ListFault)) throw fault;
      faults.push({ field, fault });
      return undefined;
    }
  };
  const condition = attempt("filter", () => {
    const parsed = parseFilter(filter);
    const checked = parsed && checkFilter(parsed, list);
    if (checked) eachComparison(checked, furtherCheck);
    return checked;
  });
  const order = attempt("order_by", () => parseOrder(orderBy, list));
  if (faults.length > 0) throw new InvalidListRequestError(faults);
  return { condition, order };
}

function eachComparison(filter: Expression<Comparison>, look: (comparison: Comparison) => void): void {
  if (filter.kind === "comparison") look(filter);
  else if (filter.kind === "not") eachComparison(filter.of, look);
  else for (const each of filter.of) eachComparison(each, look);
}
