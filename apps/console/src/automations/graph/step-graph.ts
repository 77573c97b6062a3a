/** What may follow a step. */
export interface GraphEdge {
  id: string;
  source: string;
  target: string;
  label: string;
}

/** A place on the plane of the graph, px. */
export interface Point {
  x: number;
  y: number;
}

/** The edges from one step to another as they are drawn: from the bottom of the source to the top of the target, around the steps between. */
export interface PlacedEdge {
  ids: readonly string[];
  /** For an SVG path. */
  path: string;
  /** Where the tip of its arrow is. */
  tip: Point;
  /** All labels, with commas between. */
  label: string;
  /** The middle of the label. */
  labelAt: Point;
}

/** Where everything is. */
export interface PlacedGraph {
  width: number;
  height: number;
  /** The upper left corner of each step by its id. */
  steps: ReadonlyMap<string, Point>;
  edges: readonly PlacedEdge[];
}

/** Sizes of the graph, px. */
export const graphSize = { stepWidth: 210, stepHeight: 58, laneWidth: 26, gapX: 28, gapY: 46 };

/** Passes that order the layers: more than these change nothing that is seen. A graph with more places than `manyPlaces` gets one. */
const passes = 4;
const manyPlaces = 1_000;

/** A step in its layer, or the lane of an edge that passes the layer. */
interface Place {
  id: string;
  isLane: boolean;
}

/** Edges between the same two steps. */
interface Bundle {
  source: string;
  target: string;
  edges: GraphEdge[];
}

/**
 * Places steps in layers from top to bottom, so that every edge leads down. Edges of steps that do not exist, and those that would close
 * a circle, are left out: a draft may have them until the platform refuses it.
 */
export function placeGraph(stepIds: readonly string[], edges: readonly GraphEdge[]): PlacedGraph {
  const bundles = forwardBundles(stepIds, bundled(stepIds, edges));
  const depths = depthsOf(stepIds, bundles);
  const chains = bundles.map((bundle) => chainOf(bundle, depths));
  const layers = layersOf(stepIds, depths, chains);
  untangle(layers, chains);
  const { stepWidth, stepHeight, gapY } = graphSize;
  const width = Math.max(0, ...layers.map(widthOfLayer));
  const centres = centresOf(layers, width);
  const centre = (id: string) => centres.get(id) ?? 0;
  const top = (id: string) => (depths.get(id) ?? 0) * (stepHeight + gapY);
  return {
    width,
    height: Math.max(0, layers.length * (stepHeight + gapY) - gapY),
    steps: new Map(stepIds.map((id) => [id, { x: centre(id) - stepWidth / 2, y: top(id) }])),
    edges: bundles.map((bundle, index) => ({
      ids: bundle.edges.map(({ id }) => id),
      label: bundle.edges.map(({ label }) => label).join(", "),
      ...drawn((chains[index] ?? []).map(centre), top(bundle.source) + stepHeight),
    })),
  };
}

function bundled(stepIds: readonly string[], edges: readonly GraphEdge[]): Bundle[] {
  const known = new Set(stepIds);
  const bundles = new Map<string, Bundle>();
  for (const edge of edges) {
    const { source, target } = edge;
    if (!known.has(source) || !known.has(target) || source === target) continue;
    const key = `${source} ${target}`;
    const bundle = bundles.get(key) ?? { source, target, edges: [] };
    bundle.edges.push(edge);
    bundles.set(key, bundle);
  }
  return [...bundles.values()];
}

/** Without those that lead back to a step on the way to their source. */
function forwardBundles(stepIds: readonly string[], bundles: readonly Bundle[]): Bundle[] {
  const states = new Map<string, "open" | "done">();
  const back = new Set<Bundle>();
  const visit = (id: string) => {
    states.set(id, "open");
    for (const bundle of bundles) {
      if (bundle.source !== id) continue;
      if (states.get(bundle.target) === "open") back.add(bundle);
      else if (!states.has(bundle.target)) visit(bundle.target);
    }
    states.set(id, "done");
  };
  for (const id of stepIds) if (!states.has(id)) visit(id);
  return bundles.filter((bundle) => !back.has(bundle));
}

/** The layer of each step: below all steps that lead to it. */
function depthsOf(stepIds: readonly string[], bundles: readonly Bundle[]): ReadonlyMap<string, number> {
  const depths = new Map(stepIds.map((id) => [id, 0]));
  // There is no circle, so this ends: no way is longer than the number of steps.
  for (let hasMoved = true; hasMoved; ) {
    hasMoved = false;
    for (const { source, target } of bundles) {
      const depth = (depths.get(source) ?? 0) + 1;
      if (depth <= (depths.get(target) ?? 0)) continue;
      depths.set(target, depth);
      hasMoved = true;
    }
  }
  return depths;
}

/** The source, a lane for each layer between, the target. */
function chainOf({ source, target }: Bundle, depths: ReadonlyMap<string, number>): string[] {
  const first = (depths.get(source) ?? 0) + 1;
  const count = Math.max(0, (depths.get(target) ?? 0) - first);
  return [source, ...Array.from({ length: count }, (_, index) => `${first + index} ${source} ${target}`), target];
}

function layersOf(
  stepIds: readonly string[],
  depths: ReadonlyMap<string, number>,
  chains: readonly string[][],
): Place[][] {
  const layers: Place[][] = Array.from({ length: Math.max(-1, ...depths.values()) + 1 }, () => []);
  for (const id of stepIds) layers[depths.get(id) ?? 0]?.push({ id, isLane: false });
  for (const chain of chains) {
    const first = (depths.get(chain[0] ?? "") ?? 0) + 1;
    for (const [index, id] of chain.slice(1, -1).entries()) layers[first + index]?.push({ id, isLane: true });
  }
  return layers;
}

/** Orders each layer by the mean position of what its places are linked with, which avoids most crossings. */
function untangle(layers: readonly Place[][], chains: readonly string[][]): void {
  const above = new Map<string, string[]>();
  const below = new Map<string, string[]>();
  for (const chain of chains) {
    chain.slice(1).forEach((id, index) => {
      const before = chain[index] ?? "";
      link(above, id, before);
      link(below, before, id);
    });
  }
  const isLarge = layers.reduce((sum, { length }) => sum + length, 0) > manyPlaces;
  for (let pass = 0; pass < (isLarge ? 1 : passes); pass += 1) {
    for (let depth = layers.length - 2; depth >= 0; depth -= 1) arrange(layers[depth], layers[depth + 1], below);
    for (let depth = 1; depth < layers.length; depth += 1) arrange(layers[depth], layers[depth - 1], above);
  }
}

function link(links: Map<string, string[]>, from: string, to: string): void {
  const known = links.get(from);
  if (known) known.push(to);
  else links.set(from, [to]);
}

function arrange(
  layer: Place[] = [],
  neighbours: readonly Place[] = [],
  links: ReadonlyMap<string, readonly string[]>,
): void {
  const positions = new Map(neighbours.map(({ id }, index) => [id, index]));
  const means = new Map(
    layer.map(({ id }, index) => {
      const linked = (links.get(id) ?? []).flatMap((other) => positions.get(other) ?? []);
      return [id, linked.length === 0 ? index : linked.reduce((sum, each) => sum + each, 0) / linked.length];
    }),
  );
  layer.sort((one, other) => (means.get(one.id) ?? 0) - (means.get(other.id) ?? 0));
}

const widthOf = ({ isLane }: Place) => (isLane ? graphSize.laneWidth : graphSize.stepWidth);

function widthOfLayer(layer: readonly Place[]): number {
  return layer.reduce((sum, place) => sum + widthOf(place) + graphSize.gapX, -graphSize.gapX);
}

/** The middle of each place, its layer in the middle of the plane. */
function centresOf(layers: readonly Place[][], width: number): ReadonlyMap<string, number> {
  const centres = new Map<string, number>();
  for (const layer of layers) {
    let left = (width - widthOfLayer(layer)) / 2;
    for (const place of layer) {
      centres.set(place.id, left + widthOf(place) / 2);
      left += widthOf(place) + graphSize.gapX;
    }
  }
  return centres;
}

/** A curve through the middles of a chain, from the bottom of its first place. */
function drawn(
  [first = 0, ...others]: readonly number[],
  bottom: number,
): Pick<PlacedEdge, "path" | "tip" | "labelAt"> {
  const { stepHeight, gapY } = graphSize;
  let path = `M${first} ${bottom}`;
  let [x, y] = [first, bottom];
  others.forEach((next, index) => {
    // Past the place of the lane.
    if (index > 0) {
      y += stepHeight;
      path += `V${y}`;
    }
    path += `C${x} ${y + gapY / 2} ${next} ${y + gapY / 2} ${next} ${y + gapY}`;
    [x, y] = [next, y + gapY];
  });
  return { path, tip: { x, y }, labelAt: { x: (first + (others[0] ?? first)) / 2, y: bottom + gapY / 2 } };
}
