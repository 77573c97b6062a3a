import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
  translated,
} from "@aiplatform/document-store";
import { type HolderRef, type StoredHolder, toHolder, toStoredHolder } from "../credentials/holder-ref.ts";

interface SignInCodeDocument extends TenantDocument, StoredHolder {
  hash: string;
  expires_at: Date;
}

/** A one-time code that has not been used, without the code. */
export interface SignInCode {
  id: string;
  organisationId: string;
  /** Who acts in the session that it opens. */
  holder: HolderRef;
  expiresAt: Date;
}

const collection = "sign_in_codes";

/** Codes that have not been used: a used one is deleted. */
export class SignInCodeStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "hash", key: { hash: 1 }, unique: true },
      { name: "retention", key: { expires_at: 1 }, expireAfterSeconds: 0 },
    ],
  };

  readonly #codes: TenantCollection<SignInCodeDocument>;
  readonly #everywhere: Collection<SignInCodeDocument>;

  constructor(store: DocumentStore) {
    this.#codes = new TenantCollection(store, collection);
    this.#everywhere = store.database.collection<SignInCodeDocument>(collection);
  }

  async insert(organisationId: string, code: SignInCode, hash: string, session: ClientSession): Promise<void> {
    const { id, holder, expiresAt } = code;
    const document = {
      _id: id,
      organisation_id: organisationId,
      hash,
      ...toStoredHolder(holder),
      expires_at: expiresAt,
    };
    await this.#codes.insert(organisationId, document, { session });
  }

  /** In whichever organisation: the code is what names it. */
  async findByHash(hash: string): Promise<SignInCode | undefined> {
    const document = await translated(() => this.#everywhere.findOne({ hash }));
    return document ? toCode(document) : undefined;
  }

  async find(organisationId: string, id: string, session: ClientSession): Promise<SignInCode | undefined> {
    const document = await this.#codes.findOne(organisationId, { _id: id }, { session });
    return document && toCode(document);
  }

  /** Uses a code up. Answers whether it was there: of two at once, one gets it. */
  delete(organisationId: string, id: string, session: ClientSession): Promise<boolean> {
    return this.#codes.deleteOne(organisationId, { _id: id }, { session });
  }
}

function toCode(document: SignInCodeDocument): SignInCode {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    holder: toHolder(document),
    expiresAt: document.expires_at,
  };
}
