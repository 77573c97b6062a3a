/** Parameter of a list that is at fault. */
export type ListParameter = "filter" | "order_by";

interface ListViolation {
  field: ListParameter;
  reason: string;
  description: string;
}

const violations: Readonly<Record<ListParameter, (description: string) => ListViolation>> = {
  filter: (description) => ({ field: "filter", reason: "FILTER_INVALID", description }),
  order_by: (description) => ({ field: "order_by", reason: "ORDER_BY_INVALID", description }),
};

/** What is wrong with a text, and where. */
export class ListFault extends Error {
  override name = "ListFault";
  /** Characters before the fault. */
  readonly offset: number;
  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

/** A filter or an order that the list does not take; `violations` names the parameter. */
export class InvalidListRequestError extends Error {
  override name = "InvalidListRequestError";
  readonly violations: readonly ListViolation[];
  constructor(faults: readonly { field: ListParameter; fault: ListFault }[]) {
    const all = faults.map(({ field, fault: { offset, message } }) =>
      violations[field](`at character ${offset + 1}: ${message}`),
    );
    super(all.map(({ field, description }) => `${field}: ${description}`).join("; "));
    this.violations = all;
  }
}
