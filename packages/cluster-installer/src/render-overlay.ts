import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import type { Kubectl } from "./kubectl.ts";
import { type Manifest, mainNamespace } from "./manifest.ts";

const overlays = fileURLToPath(new URL("../../../k8s/overlays/", import.meta.url));
const ourImage = /^(?:.*\/)?(?<image>aiplatform\/[a-z-]+)(?:[:@].*)?$/;

/** The overlays that there are. */
export const overlayNames = ["laptop", "production"] as const;

/** Name of an overlay, or the path of a folder with one of the operator's own. */
export type Overlay = string;

/** Where images are taken from, where that is not as the overlay says. */
export interface ImageSource {
  registry?: string | undefined;
  tag?: string | undefined;
}

/** The objects of an overlay. @throws KubectlError when it cannot be rendered */
export async function renderOverlay(
  kubectl: Kubectl,
  overlay: Overlay,
  { registry, tag }: ImageSource = {},
): Promise<Manifest[]> {
  const folder = overlayFolder(overlay);
  const manifests = parse(await kubectl.run(["kustomize", folder]));
  if (registry === undefined && tag === undefined) return manifests;
  const images = new Map(imagesOf(manifests).map((image) => [image, imageFrom(image, { registry, tag })]));
  const layer = await mkdtemp(join(await realpath(tmpdir()), "aiplatform-overlay-"));
  try {
    await writeFile(join(layer, "kustomization.yaml"), JSON.stringify(layerOver(relative(layer, folder), images)));
    return parse(await kubectl.run(["kustomize", layer]));
  } finally {
    await rm(layer, { recursive: true, force: true });
  }
}

function overlayFolder(overlay: Overlay): string {
  return overlayNames.some((name) => name === overlay) ? join(overlays, overlay) : overlay;
}

/** These objects as one text that kubectl reads. JSON: of YAML it takes `off` for false where others do not. */
export function textOf(manifests: readonly Manifest[]): string {
  return JSON.stringify({ apiVersion: "v1", kind: "List", items: manifests });
}

function parse(text: string): Manifest[] {
  // As kubectl reads it: 0440 is octal, `on` is true.
  return parseAllDocuments(text, { version: "1.1" }).map((document) => document.toJS() as Manifest);
}

/** Our images as the overlay names them; the serving runtime's stands in a setting, because the service starts it. */
function imagesOf(manifests: readonly Manifest[]): string[] {
  const ofPods = manifests.flatMap(({ spec }) => (spec?.template?.spec?.containers ?? []).map(({ image }) => image));
  const ofSettings = manifests.flatMap(({ data }) => data?.["SERVING_IMAGE"] ?? []);
  return [...new Set([...ofPods, ...ofSettings])].filter((image) => ourImage.test(image));
}

/** The image from elsewhere, or of another tag. */
export function imageFrom(image: string, { registry, tag }: ImageSource): string {
  const name = nameOf(image);
  const ours = ourImage.exec(image)?.groups?.["image"] ?? name;
  const place = registry === undefined ? name : `${registry.replace(/\/+$/, "")}/${ours}`;
  return tag === undefined ? `${place}${image.slice(name.length)}` : `${place}:${tag}`;
}

function nameOf(image: string): string {
  return image.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
}

function layerOver(overlay: string, images: ReadonlyMap<string, string>): object {
  const serving = [...images.values()].find((image) => /\/serving-runtime[:@]/.test(image));
  const merged = { name: "deployments", namespace: mainNamespace, behavior: "merge" };
  return {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: [overlay],
    images: [...images].map(([from, to]) => ({
      name: nameOf(from),
      newName: nameOf(to),
      ...versionOf(to.slice(nameOf(to).length)),
    })),
    ...(serving ? { configMapGenerator: [{ ...merged, literals: [`SERVING_IMAGE=${serving}`] }] } : {}),
  };
}

function versionOf(version: string): { digest: string } | { newTag: string } {
  return version.startsWith("@") ? { digest: version.slice(1) } : { newTag: version.slice(1) };
}
