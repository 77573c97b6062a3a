/** Where the bytes of uploads wait until they are whole. What one replica took another can go on with. */
export interface UploadSpace {
  /** Bytes that have arrived without a gap, from the first. */
  receivedBytes(organisationId: string, sha256: string): Promise<number>;
  /** Keeps bytes durably at their place; again at the same place has one effect. */
  write(organisationId: string, sha256: string, piece: { offset: number; bytes: Uint8Array }): Promise<void>;
  /** Everything that has arrived without a gap; nothing when there is no such upload. */
  read(organisationId: string, sha256: string): AsyncIterable<Uint8Array>;
  /** Forgets the upload. */
  forget(organisationId: string, sha256: string): Promise<void>;
  /** Uploads of the organisation that are not whole yet. */
  count(organisationId: string): Promise<number>;
  /** Forgets uploads without a write since then, and what killed processes left behind. */
  sweep(before: Date): Promise<void>;
}
