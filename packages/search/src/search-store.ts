import type { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import { type DocumentStore, TenantCollection, type TenantDocument } from "@aiplatform/document-store";
import { excerptOf } from "./excerpt.ts";
import { kindOfThing } from "./search-kinds.ts";
import { behind, comparePlaces, noTime, type SearchPlace } from "./search-place.ts";
import { type SearchedCollection, type SearchFields, searchIndex, textsAt } from "./searched-collection.ts";

/** What is looked for. */
export interface SearchQuery {
  /** Each is the beginning of a word of what is found. */
  words: readonly string[];
  /** Undefined: from the newest on. */
  place: SearchPlace | undefined;
  limit: number;
  includesArchived: boolean;
}

/** Something that was found. */
export interface SearchHit extends SearchPlace {
  name: string;
  /** Part of a text. */
  text: string;
  /** Path to read it. */
  path: string;
}

interface SearchedDocument extends TenantDocument, Partial<SearchFields> {
  created_at?: Date;
}

/** Up to so many that match are put in order themselves; with more, documents are read in order until a page is full. */
export const maxSorted = 1_000;

/** Finds things of one kind. */
export class SearchStore {
  readonly kind: SearchKind;
  readonly #of: SearchedCollection;
  readonly #documents: TenantCollection<SearchedDocument>;

  constructor(store: DocumentStore, of: SearchedCollection) {
    this.kind = of.kind;
    this.#of = of;
    this.#documents = new TenantCollection(store, of.collection);
  }

  /** The newest first. */
  async find(organisationId: string, { words, place, limit, includesArchived }: SearchQuery): Promise<SearchHit[]> {
    const { kind, hasTime = true, within = {}, unarchived = {}, orderIndex } = this.#of;
    const behindPlace = behind(place, { kind, hasTime });
    if (!behindPlace) return [];
    const filter = {
      ...within,
      ...(includesArchived ? {} : unarchived),
      $and: [...words.map(beginningWith), behindPlace],
    };
    const options = { only: ["created_at"], limit: maxSorted + 1, hint: searchIndex.name };
    const few = await this.#documents.find(organisationId, filter, options);
    const sort = hasTime ? ({ created_at: -1, _id: -1 } as const) : ({ _id: -1 } as const);
    const isMany = few.length > maxSorted;
    const found = isMany
      ? await this.#documents.find(organisationId, filter, { sort, limit, hint: orderIndex, only: this.#shown })
      : await this.#read(organisationId, this.#newest(few, limit));
    return found.map((document) => this.#hitOf(document, words)).sort(comparePlaces);
  }

  /** Paths of what a result shows. */
  get #shown(): string[] {
    const { name, texts, parameters } = this.#of;
    return ["organisation_id", "created_at", name, ...texts, ...Object.values(parameters)].filter(
      (path) => path !== "_id",
    );
  }

  #newest(found: readonly SearchedDocument[], limit: number): string[] {
    const places = found.map(({ _id: id, created_at: createdAt = noTime }) => ({ id, createdAt, kind: this.kind }));
    return places
      .sort(comparePlaces)
      .slice(0, limit)
      .map(({ id }) => id);
  }

  #read(organisationId: string, ids: readonly string[]): Promise<SearchedDocument[]> {
    return this.#documents.find(organisationId, { _id: { $in: [...ids] } }, { only: this.#shown });
  }

  #hitOf(document: SearchedDocument, words: readonly string[]): SearchHit {
    const { kind, name, texts, parameters } = this.#of;
    const { _id: id, created_at: createdAt = noTime } = document;
    const text = excerptOf(
      texts.flatMap((path) => textsAt(document, path)),
      words,
    );
    const path = Object.entries(parameters).reduce(
      (filled, [parameter, from]) =>
        filled.replace(`{${parameter}}`, encodeURIComponent(textsAt(document, from).join())),
      kindOfThing(kind).path,
    );
    return { kind, id, createdAt, name: textsAt(document, name).join(), text, path };
  }
}

/** No pattern: a range of the index. */
function beginningWith(word: string) {
  return { search_words: { $elemMatch: { $gte: word, $lt: `${word}\u{10ffff}` } } };
}
