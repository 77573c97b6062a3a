import { join } from "node:path";
import { installer } from "./kubernetes.ts";

export const services = ["gateway", "identity", "training", "content", "deployments", "data"] as const;

/** Tag of the images. */
const tag = process.env["IMAGES_TAG"] ?? "0.1.0";

/** An image of ours, in which pods of the test find Node. */
export const nodeImage = `aiplatform/gateway:${tag}`;

/** Where images come from: they are on the nodes already, or IMAGES_LOAD puts them there. */
const imageSource = process.env["IMAGES_LOAD"] ? ["--load", process.env["IMAGES_LOAD"]] : ["--built"];

/** Installs an overlay of this folder by the install command, or brings what is there up to it. */
export function install(overlay: "overlay" | "changed-settings" | "mutual-tls"): Promise<string> {
  return installer("install", "--overlay", join(import.meta.dirname, overlay), "--tag", tag, ...imageSource);
}

/** Makes an organisation of a name that was never used, and answers a key of it. */
export function makeOrganisation(): Promise<string> {
  const slug = `cluster-${Date.now().toString(36)}`;
  return installer("organisation", "--slug", slug, "--name", "Cluster", "--administrator", "a@example.com");
}
