import { isIP, type LookupFunction } from "node:net";
import { AddressRefusedError } from "./errors.ts";

/** Whether an address may be reached. */
export type Permits = (address: string) => boolean;

/**
 * A resolver for `net.connect` and the like. One forbidden address refuses the name: its server must not choose, by order or by
 * failing, where we end up. It is not asked for hosts that are addresses already. Calls back with AddressRefusedError.
 */
export function guardedLookup(resolve: LookupFunction, permits: Permits): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "");
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => permits(address))) {
        return callback(new AddressRefusedError(hostname, "does not lead to addresses that may be reached"), "");
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
