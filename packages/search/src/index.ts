export { searchBackfill } from "./search-backfill.ts";
export { kindOfThing, readableKinds, type SearchedService } from "./search-kinds.ts";
export { comparePlaces, cursorOf, noTime, placeOf } from "./search-place.ts";
export { searchWords } from "./search-words.ts";
export { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "./searched-collection.ts";
export { answerSearch, ServiceSearch } from "./service-search.ts";
