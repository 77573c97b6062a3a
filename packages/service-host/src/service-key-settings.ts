import { ServiceKeyError, type ServiceKeyFiles, ServiceKeys, type ServiceKeysOptions } from "@aiplatform/service-keys";
import { defineSettings, SettingsError } from "./settings/read-settings.ts";
import { setting } from "./settings/setting.ts";

/** How a service proves to others which one it is. */
export const serviceKeySettings = defineSettings({
  SERVICE_KEY_FILE: setting.text({
    description:
      "File of this service's own Ed25519 private key (PKCS 8 PEM), with which it signs what it tells other services; read again when it changes.",
  }),
  SERVICE_KEYS_FILE: setting.text({
    description:
      "File of the public keys of all services (JWK Set; kid is the service's name, or with a number: training.2); the same at every service, read again when it changes.",
  }),
  SERVICE_ASSERTIONS: setting.text({
    default: "required",
    oneOf: ["required", "accept-missing"],
    description:
      "required: other services are believed when they prove which one they are; accept-missing: also without a proof, while services of a version that gives none still run.",
  }),
});

/** Whether other services are believed without a proof of which one they are. */
export function acceptsMissingAssertions({ SERVICE_ASSERTIONS }: { SERVICE_ASSERTIONS: string }): boolean {
  return SERVICE_ASSERTIONS === "accept-missing";
}

/** The keys that the settings name. @throws SettingsError when the files do not hold what they should */
export function openServiceKeys(config: ServiceKeyFiles, options: ServiceKeysOptions): ServiceKeys {
  try {
    return new ServiceKeys(config, options);
  } catch (error) {
    if (error instanceof ServiceKeyError) throw new SettingsError([error.message]);
    throw error;
  }
}
