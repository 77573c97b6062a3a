import { type Check, fine } from "@aiplatform/doctor";
import { DataLocations } from "./data-locations.ts";
import { type DataLocation, keyedLocations } from "./location-settings.ts";

/** What of the settings is looked at. */
export interface LocationCheckConfig {
  readonly DATA_LOCATIONS: readonly DataLocation[];
  readonly DATA_LOCATION_KEYS: string | undefined;
}

/** Each location's bucket, asked as the service asks it. */
export function dataLocations(config: LocationCheckConfig): Check[] {
  return keyedLocations(config.DATA_LOCATIONS, config.DATA_LOCATION_KEYS).map((location) => ({
    name: "data locations",
    remedy: "correct the location in DATA_LOCATIONS, its key in DATA_LOCATION_KEYS, or what stands between",
    async run(signal) {
      using locations = new DataLocations([location]);
      await locations.ping(location.name, signal);
      return [fine(`the location ${location.name} at ${new URL(location.endpoint).host} answers`)];
    },
  }));
}
