import { memberAt } from "@aiplatform/openai-api";
import { type Given, keysIn, nameIn, type OpenTo, organisationsIn, readEntries, urlIn } from "../settings-entries.ts";

/** A folder of an S3-compatible bucket that files of versions may be read from. */
export interface DataLocation {
  /** By which requests name it. */
  readonly name: string;
  /** Of the server. */
  readonly endpoint: string;
  readonly bucket: string;
  /** What the keys of its objects begin with; ends with a slash unless it is empty. */
  readonly prefix: string;
  readonly region: string;
  /** Ids of the organisations that may read there. */
  readonly organisations: OpenTo;
}

/** A key of the platform at a server. Secret. */
export interface LocationKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A location, and the platform's key there. */
export interface KeyedLocation extends DataLocation {
  /** Undefined: what the surroundings give the process, such as the role of its machine. */
  readonly key: LocationKey | undefined;
}

const fields = new Set(["name", "url", "region", "organisations"]);
const maxLocations = 100;

/** Reads the locations of a setting. @throws Error whose message is one sentence about the first mistake */
export function readLocations(value: unknown): DataLocation[] {
  return readEntries(value, { fields, max: maxLocations, what: "locations" }, (given, where) => ({
    name: nameIn(given, where),
    ...placeIn(given, where),
    region: regionIn(given.get("region") ?? "us-east-1", where),
    organisations: organisationsIn(given, where),
  }));
}

/** Reads `https://server/bucket/folder`. */
function placeIn(given: Given, where: string): Pick<DataLocation, "endpoint" | "bucket" | "prefix"> {
  const such = "https://server/bucket/folder";
  const { origin: endpoint, pathname } = urlIn(given, { where, such });
  const [bucket, ...folders] = pathname
    .split("/")
    .filter(Boolean)
    .map((part) => decoded(part, where));
  if (bucket === undefined) throw new Error(`${where}: url must be of a bucket, such as ${such}`);
  return { endpoint, bucket, prefix: folders.map((folder) => `${folder}/`).join("") };
}

function decoded(part: string, where: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(`${where}: url must have only percent signs that encode UTF-8`);
  }
}

function regionIn(value: unknown, where: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`${where}: region must be a text that is not empty`);
}

/** The locations with their keys. @throws SettingsError with every mistake in the keys, without a key */
export function keyedLocations(locations: readonly DataLocation[], keysText: string | undefined): KeyedLocation[] {
  const keys = keysIn(keysText, locations, {
    ...{ setting: "DATA_LOCATION_KEYS", entriesSetting: "DATA_LOCATIONS" },
    what: "{access_key_id, secret_access_key}",
    read: keyOf,
  });
  return locations.map((location) => ({ ...location, key: keys.get(location.name) }));
}

function keyOf(value: unknown): LocationKey | undefined {
  const [accessKeyId, secretAccessKey] = [memberAt(value, "access_key_id"), memberAt(value, "secret_access_key")];
  if (typeof accessKeyId !== "string" || typeof secretAccessKey !== "string") return undefined;
  return accessKeyId === "" || secretAccessKey === "" ? undefined : { accessKeyId, secretAccessKey };
}
