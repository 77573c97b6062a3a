import { groupsByKey, type KeyGroup } from "./groups-by-key.ts";
import { nameTokens } from "./name-tokens.ts";

/** Version of the rule; another rule has another one. */
export const groupingVersion = "shared-datasets-and-names.v1";

/** An asset that is in no workspace. */
export interface UngroupedAsset {
  id: string;
  name: string;
  datasetIds: readonly string[];
  createdAt: Date;
}

/** A stored workspace with its assets. */
export interface ExistingWorkspace {
  workspaceId: string;
  createdAt: Date;
  assets: readonly Pick<UngroupedAsset, "name" | "datasetIds">[];
}

/** What ties an asset to a workspace. */
export type LinkKind = "dataset" | "name";

/** An asset and why it belongs where it is put. */
export interface PlacedAsset {
  assetId: string;
  by: LinkKind;
  /** The datasets, or the words of the name, in common with the workspace; sorted. */
  shared: string[];
  /** The part of its datasets, or of the words of its name, that is shared; above 0, at most 1, two decimals. */
  confidence: number;
}

/** Assets for a stored workspace. */
export interface GrownWorkspace {
  workspaceId: string;
  assets: PlacedAsset[];
}

/** A workspace to be made. */
export interface NewWorkspace {
  name: string;
  description: string;
  /** The oldest of its assets. */
  seedAssetId: string;
  assets: PlacedAsset[];
}

/** What grouping comes to. An asset that nothing ties to any other stays where it is. */
export interface Grouping {
  grown: GrownWorkspace[];
  made: NewWorkspace[];
}

/** An asset with what it can share. */
interface Candidate {
  asset: UngroupedAsset;
  keys: Readonly<Record<LinkKind, readonly string[]>>;
}

/** A workspace, stored or to be made, that assets may join. */
interface TargetWorkspace {
  /** Its place in the order of preference. */
  rank: number;
  workspaceId: string | undefined;
  /** What a dataset group was formed by. */
  key: string;
  /** Any of these ties an asset to it. */
  links: Readonly<Record<LinkKind, ReadonlySet<string>>>;
  members: readonly Candidate[];
  placed: PlacedAsset[];
}

/** Workspaces that one dataset or word is looked up in, the oldest first: bounds the work. */
const maxWorkspacesPerKey = 20;
const maxNameLength = 255;

/**
 * Finds the place of assets that are in no workspace, by four steps: an asset joins the workspace with which it shares most
 * datasets; those left that share a dataset with each other make a workspace, the largest group first; those left join the
 * workspace whose assets all share most words of its name; those left that share a word make a workspace. Which comes first
 * in the input makes no difference. What is grouped is only looked at.
 */
export function group(ungrouped: readonly UngroupedAsset[], places: readonly ExistingWorkspace[]): Grouping {
  const targets = [...places].sort(byAge(({ workspaceId }) => workspaceId)).map(targetOf);
  let rest = [...ungrouped].sort(byAge(({ id }) => id)).map(candidateOf);
  for (const kind of ["dataset", "name"] as const) {
    rest = join(rest, targets, kind);
    const groups = groupsByKey(rest, (candidate) => candidate.keys[kind]);
    for (const found of groups) targets.push(newTarget(found, kind, targets.length));
    const taken = new Set(groups.flatMap(({ members }) => members));
    rest = rest.filter((candidate) => !taken.has(candidate));
  }
  return { grown: targets.flatMap(grownOf), made: targets.flatMap(madeOf) };
}

function candidateOf(asset: UngroupedAsset): Candidate {
  return { asset, keys: { dataset: [...new Set(asset.datasetIds)], name: nameTokens(asset.name) } };
}

function targetOf({ workspaceId, assets }: ExistingWorkspace, rank: number): TargetWorkspace {
  const dataset = new Set(assets.flatMap(({ datasetIds }) => datasetIds));
  const name = inCommon(assets.map((asset) => nameTokens(asset.name)));
  return { rank, workspaceId, key: "", links: { dataset, name }, members: [], placed: [] };
}

function newTarget({ key, members }: KeyGroup<Candidate>, kind: LinkKind, rank: number): TargetWorkspace {
  const dataset = new Set(members.flatMap(({ keys }) => keys.dataset));
  const name = inCommon(members.map(({ keys }) => keys.name));
  const shared = kind === "name" ? name : heldTwice(members.map(({ keys }) => keys.dataset));
  const placed = members.map((candidate) => place(candidate, kind, shared));
  return { rank, workspaceId: undefined, key, links: { dataset, name }, members, placed };
}

/** Puts each candidate where it shares most, the older workspace first; answers those that share nothing. */
function join(candidates: readonly Candidate[], targets: readonly TargetWorkspace[], kind: LinkKind): Candidate[] {
  const holders = holdersOf(targets, kind);
  return candidates.filter((candidate) => {
    const found = bestFor(candidate.keys[kind], holders);
    found?.placed.push(place(candidate, kind, found.links[kind]));
    return found === undefined;
  });
}

/** The oldest targets that each key ties an asset to, in their order. */
function holdersOf(targets: readonly TargetWorkspace[], kind: LinkKind): Map<string, TargetWorkspace[]> {
  const holders = new Map<string, TargetWorkspace[]>();
  for (const target of targets) {
    for (const key of target.links[kind]) {
      const known = holders.get(key);
      if (!known) holders.set(key, [target]);
      else if (known.length < maxWorkspacesPerKey) known.push(target);
    }
  }
  return holders;
}

function bestFor(
  keys: readonly string[],
  holders: ReadonlyMap<string, TargetWorkspace[]>,
): TargetWorkspace | undefined {
  const shared = new Map<TargetWorkspace, number>();
  for (const target of keys.flatMap((key) => holders.get(key) ?? [])) {
    shared.set(target, (shared.get(target) ?? 0) + 1);
  }
  const ranked = [...shared].sort(([a, sharedByA], [b, sharedByB]) => sharedByB - sharedByA || a.rank - b.rank);
  return ranked[0]?.[0];
}

function place({ asset, keys }: Candidate, by: LinkKind, links: ReadonlySet<string>): PlacedAsset {
  const shared = keys[by].filter((key) => links.has(key)).sort();
  const confidence = Math.max(0.01, Math.round((100 * shared.length) / keys[by].length) / 100);
  return { assetId: asset.id, by, shared, confidence };
}

function grownOf({ workspaceId, placed: assets }: TargetWorkspace): GrownWorkspace[] {
  return workspaceId !== undefined && assets.length > 0 ? [{ workspaceId, assets }] : [];
}

function madeOf({ workspaceId, key, links, members, placed: assets }: TargetWorkspace): NewWorkspace[] {
  const [seed] = members;
  if (workspaceId !== undefined || !seed) return [];
  const words = seed.keys.name.filter((word) => links.name.has(word));
  const name = words.length > 0 ? words.join(" ") : `dataset ${key}`;
  const description = "Made by the platform, because its assets have datasets or words of their names in common.";
  return [{ name: shortened(name), description, seedAssetId: seed.asset.id, assets }];
}

function shortened(name: string): string {
  return [...name].slice(0, maxNameLength).join("");
}

function inCommon(lists: readonly (readonly string[])[]): Set<string> {
  const [first = [], ...others] = lists;
  const sets = others.map((list) => new Set(list));
  return new Set(first.filter((key) => sets.every((set) => set.has(key))));
}

function heldTwice(lists: readonly (readonly string[])[]): Set<string> {
  const seen = new Set<string>();
  return new Set(lists.flat().filter((key) => seen.has(key) || !seen.add(key)));
}

/** The oldest first; of the same instant, by id. */
function byAge<T extends { createdAt: Date }>(idOf: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (idOf(a) < idOf(b) ? -1 : 1);
}
