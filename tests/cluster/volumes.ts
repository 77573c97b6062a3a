import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { apply, cluster } from "./kubernetes.ts";

const names = ["first", "second", "third"];

/**
 * Sees to it that the data stores get volumes: from the cluster's default storage class, or, on a cluster of one node that is
 * this machine, from folders below TEST_VOLUMES.
 */
export async function provideVolumes(): Promise<void> {
  const classes = await cluster.read<{ items: { metadata: { annotations?: Record<string, string> } }[] }>([
    "get",
    "storageclasses",
  ]);
  const isDefault = "storageclass.kubernetes.io/is-default-class";
  if (classes?.items.some(({ metadata }) => metadata.annotations?.[isDefault] === "true")) return;
  const folder = process.env["TEST_VOLUMES"];
  if (!folder)
    throw new Error(
      "the cluster has no default storage class: give it one, or, if it has one node and that is this machine, name a folder for volumes in TEST_VOLUMES",
    );
  for (const name of names) {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    await chmod(path, 0o777);
    await apply({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: `aiplatform-test-${name}` },
      spec: {
        capacity: { storage: "10Gi" },
        accessModes: ["ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Retain",
        hostPath: { path },
      },
    });
  }
}
