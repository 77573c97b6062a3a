export { type DataKeyRewrap, dataKeyRewrap } from "./data-key-rewrap.ts";
export { DataKeyStore } from "./data-key-store.ts";
export { UnsealError } from "./envelope.ts";
export { type KeyRing, keyRingSetting, readKeyRing } from "./key-ring.ts";
export { SealedSecrets, type SecretPlace, SecretsKeyError } from "./sealed-secrets.ts";
