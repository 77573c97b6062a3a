export { findPage, type PageSource } from "./find-page.ts";
export { InvalidListRequestError, type ListParameter } from "./list-fault.ts";
export {
  type ListPageRequest,
  ListQuery,
  type ListRequest,
  ListSelection,
  type ListStorage,
  oldestFirst,
} from "./list-query.ts";
export type { Binding, MongoFilter } from "./mongo-filter.ts";
export type { FieldCondition } from "./necessary-conditions.ts";
export type { ListOrder } from "./parse-order.ts";
export type { SortKey } from "./select-items.ts";
