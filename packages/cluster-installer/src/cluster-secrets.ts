import { operatorName, publicKeySet } from "@aiplatform/service-keys";
import { InstallError } from "./errors.ts";
import type { Kubectl } from "./kubectl.ts";
import { mainNamespace, type NeededKey } from "./manifest.ts";
import { derivedKeys, secretValues, sharedKeys } from "./secret-values.ts";

interface Secret {
  metadata: { name: string };
  data?: Record<string, string>;
}

/** Secret → key → value, in base64 as the cluster has it. */
export type SecretContents = Map<string, Map<string, string>>;

/** The Secrets of the services' namespace. */
export async function readSecrets(kubectl: Kubectl): Promise<SecretContents> {
  const list = await kubectl.read<{ items: Secret[] }>(["get", "secrets", "--namespace", mainNamespace]);
  return new Map((list?.items ?? []).map(({ metadata, data }) => [metadata.name, new Map(Object.entries(data ?? {}))]));
}

/** What is needed and not there. */
export function missingKeys(needed: readonly NeededKey[], present: SecretContents): NeededKey[] {
  return needed.filter(({ secret, key }) => !present.get(secret)?.has(key));
}

/** Tells the operator which keys to create. */
export function missingText(missing: readonly NeededKey[]): string {
  const lines = [...Map.groupBy(missing, ({ secret }) => secret)].map(
    ([secret, keys]) => `  ${secret}: ${keys.map(({ key }) => key).join(", ")}`,
  );
  return `These keys of Secrets in the namespace ${mainNamespace} are missing (k8s/README.md says what belongs into each):\n${lines.join("\n")}`;
}

/**
 * Makes what is missing with random values, and leaves alone what is there. Returns the names of the Secrets that got something,
 * and of those in which a value became another.
 * @throws InstallError for a key that cannot be made up
 */
export async function makeSecrets(
  kubectl: Kubectl,
  needed: readonly NeededKey[],
): Promise<{ made: string[]; replaced: string[] }> {
  const present = await readSecrets(kubectl);
  const made = madeKeys(needed, present);
  for (const key of made) await storeKey(kubectl, key);
  const replaced = made.filter(({ secret, key }) => present.get(secret)?.has(key));
  return { made: namesOf(made), replaced: namesOf(replaced) };
}

/** A service's private key, in the Secret of its name. */
const privateKey = "service-key";
/** The public keys of all services. */
const publicKeys: NeededKey = { secret: "aiplatform-service-keys", key: "service-keys" };
/** No pod has it: the operator signs with it that dead letters are to be tried again. */
const operatorKey: NeededKey = { secret: `aiplatform-${operatorName}`, key: privateKey };

const isPublicKeys = ({ secret, key }: NeededKey) => secret === publicKeys.secret && key === publicKeys.key;

/** The set of public keys with those of new private ones; nothing where it has all of them. */
function publicServiceKeys(
  needed: readonly NeededKey[],
  present: SecretContents,
  made: readonly (NeededKey & { value: string })[],
): (NeededKey & { value: string })[] {
  if (!needed.some(isPublicKeys)) return [];
  const kept = [...present].flatMap(([secret, keys]) => [...keys].map(([key, value]) => ({ secret, key, value })));
  const privateKeys = [...kept, ...made].flatMap(({ secret, key, value }) =>
    key === privateKey ? [[secret.replace(/^aiplatform-/, ""), text(value)] as const] : [],
  );
  const known = present.get(publicKeys.secret)?.get(publicKeys.key);
  const before = known === undefined ? { keys: [] } : JSON.parse(text(known));
  const set = publicKeySet(new Map(privateKeys), known === undefined ? undefined : text(known));
  if (set.keys.length === before.keys.length) return [];
  return [{ ...publicKeys, value: base64(JSON.stringify(set)) }];
}

function namesOf(keys: readonly NeededKey[]): string[] {
  return [...new Set(keys.map(({ secret }) => secret))];
}

/**
 * The keys that are missing, with values in base64: random ones, and those that follow from others'.
 * @throws InstallError for a key that cannot be made up
 */
export function madeKeys(wanted: readonly NeededKey[], present: SecretContents): (NeededKey & { value: string })[] {
  const needed = wanted.flatMap((each) => (isPublicKeys(each) ? [operatorKey] : [each]));
  const sources = missingKeys(needed, present).flatMap(({ key }) => derivedKeys.get(key)?.from ?? []);
  const known = ({ secret, key }: NeededKey) => present.get(secret)?.get(key) ?? made.get(`${secret}/${key}`)?.value;
  const made = new Map<string, NeededKey & { value: string }>();
  const all = [...sources, ...needed].filter((each) => !derivedKeys.has(each.key));
  const unknown = missingKeys(all, present).filter(({ key }) => !secretValues[key]);
  if (unknown.length > 0) throw new InstallError(missingText(unknown));
  const sharedValues = new Map<string, string>();
  for (const { secret, key } of all) {
    if (known({ secret, key }) !== undefined) continue;
    const value = shared(key, present) ?? sharedValues.get(key) ?? base64(secretValues[key]?.() ?? "");
    if (sharedKeys.has(key)) sharedValues.set(key, value);
    made.set(`${secret}/${key}`, { secret, key, value });
  }
  for (const { secret, key } of needed) {
    const derived = derivedKeys.get(key);
    // What was derived from a key that is gone, and was made again, is of no use.
    const isCurrent =
      derived && present.get(secret)?.has(key) && !made.has(`${derived.from.secret}/${derived.from.key}`);
    if (!derived || isCurrent) continue;
    const source = Buffer.from(known(derived.from) ?? "", "base64").toString("utf8");
    made.set(`${secret}/${key}`, { secret, key, value: base64(derived.derive(source)) });
  }
  return [...made.values(), ...publicServiceKeys(wanted, present, [...made.values()])];
}

/** Adds one key under a manager of its own: what others keep in the Secret stays, and what is there is never replaced. */
async function storeKey(kubectl: Kubectl, { secret, key, value }: NeededKey & { value: string }): Promise<void> {
  const labels = { "app.kubernetes.io/part-of": "aiplatform" };
  const metadata = { name: secret, namespace: mainNamespace, labels };
  const manifest = { apiVersion: "v1", kind: "Secret", type: "Opaque", metadata, data: { [key]: value } };
  const apply = ["apply", "--server-side", `--field-manager=aiplatform-installer-${key}`, "--filename=-"];
  await kubectl.run(apply, { input: JSON.stringify(manifest) });
}

/** The value that another Secret has already. */
function shared(key: string, present: SecretContents): string | undefined {
  if (!sharedKeys.has(key)) return undefined;
  return [...present.values()].map((keys) => keys.get(key)).find((value) => value !== undefined);
}

function text(value: string): string {
  return Buffer.from(value, "base64").toString("utf8");
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
