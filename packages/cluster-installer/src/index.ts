export { InstallError, KubectlError } from "./errors.ts";
export { Kubectl } from "./kubectl.ts";
export { type Manifest, mainNamespace, neededKeys, secretsDirectory, servingNamespace } from "./manifest.ts";
export { overlayFolder, overlayNames, renderOverlay } from "./render-overlay.ts";
export { secretValues } from "./secret-values.ts";
