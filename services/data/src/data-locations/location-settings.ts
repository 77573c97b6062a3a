import { SettingsError } from "@aiplatform/service-host";
import { nameIn, type OpenTo, organisationsIn, readEntries, secretEntries } from "../settings-entries.ts";

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
  return readEntries(value, { fields, most: maxLocations, what: "locations" }, (given, where) => ({
    name: nameIn(given, where),
    ...placeIn(given.get("url"), where),
    region: regionIn(given.get("region") ?? "us-east-1", where),
    organisations: organisationsIn(given, where),
  }));
}

/** Reads `https://server/bucket/folder`. */
function placeIn(text: unknown, where: string): Pick<DataLocation, "endpoint" | "bucket" | "prefix"> {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  const [bucket = "", ...folders] = decodeURIComponent(url?.pathname ?? "")
    .split("/")
    .filter(Boolean);
  if (!url || !isHttp || bucket === "" || url.username + url.password + url.search + url.hash !== "") {
    throw new Error(
      `${where}: url must be an https or http URL with a bucket and no credentials, such as https://server/bucket/folder`,
    );
  }
  return { endpoint: url.origin, bucket, prefix: folders.map((folder) => `${folder}/`).join("") };
}

function regionIn(value: unknown, where: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`${where}: region must be a text that is not empty`);
}

/** The locations with their keys. @throws SettingsError with every mistake in the keys, without a key */
export function keyedLocations(locations: readonly DataLocation[], keysText: string | undefined): KeyedLocation[] {
  const keys = keysIn(keysText);
  const names = new Set(locations.map(({ name }) => name));
  const mistakes = [...keys.keys()]
    .filter((name) => !names.has(name))
    .map((name) => `DATA_LOCATION_KEYS names ${name}, which is no location of DATA_LOCATIONS`);
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  return locations.map((location) => ({ ...location, key: keys.get(location.name) }));
}

/** @throws SettingsError */
function keysIn(text: string | undefined): ReadonlyMap<string, LocationKey> {
  if (text === undefined) return new Map();
  const entries = secretEntries(text);
  const keys = entries.flatMap(([name, said]): [string, LocationKey][] => {
    const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = Object(said);
    const isWhole = [accessKeyId, secretAccessKey].every((each) => typeof each === "string" && each !== "");
    return isWhole ? [[name, { accessKeyId, secretAccessKey }]] : [];
  });
  if (entries.length > 0 && keys.length === entries.length) return new Map(keys);
  throw new SettingsError([
    "DATA_LOCATION_KEYS must be a JSON object of {access_key_id, secret_access_key} by the names of locations",
  ]);
}
