export { ServiceKeyError, SignatureError } from "./errors.ts";
export { keepServiceKeys } from "./keep-service-keys.ts";
export { type PublicKeySet, publicKeySet } from "./key-set.ts";
export { keyHolders, operatorName, serviceNames } from "./names.ts";
export { newPrivateKey } from "./private-key.ts";
export { type ServiceKeyFiles, ServiceKeys, type ServiceKeysOptions } from "./service-keys.ts";
