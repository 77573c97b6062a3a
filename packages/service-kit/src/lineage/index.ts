export { findLineage, type LineageMatches, type LineageSearch } from "./find-lineage.ts";
export { kindMessages, kindsByMessage, matchesMessage, matchesOf, nodeMessage, searchOf } from "./lineage-message.ts";
export {
  deletedState,
  type LineageKind,
  lineageKinds,
  readPermissions,
  refsTo,
  sourceKinds,
  type Thing,
  type ThingRef,
} from "./thing.ts";
export { type Use, type Uses, usesMessage, usesOf } from "./uses.ts";
