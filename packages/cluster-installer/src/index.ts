export { Kubectl } from "./kubectl.ts";
export { type Manifest, mainNamespace, neededKeys, secretsDirectory, servingNamespace } from "./manifest.ts";
export { overlayNames, renderOverlay } from "./render-overlay.ts";
export { secretValues } from "./secret-values.ts";
