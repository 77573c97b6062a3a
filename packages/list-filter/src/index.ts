export type { Comparison, FilterValue } from "./check-filter.ts";
export { findPage, type PageSource } from "./find-page.ts";
export { InvalidListRequestError, ListFault, type ListParameter } from "./list-fault.ts";
export {
  type ListPageRequest,
  ListQuery,
  ListSelection,
  type ListStorage,
  oldestFirst,
} from "./list-query.ts";
export type { Binding, MongoFilter } from "./mongo-filter.ts";
export type { FieldCondition } from "./necessary-conditions.ts";
export type { Expression } from "./parse-filter.ts";
export type { ListOrder } from "./parse-order.ts";
export { type CheckedListRequest, type ListRequest, readListRequest } from "./read-list-request.ts";
export type { SortKey } from "./select-items.ts";
