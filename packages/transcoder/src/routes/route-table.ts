/** A route found: what was stored, and the raw (still percent-encoded) segments in the places of names. */
export interface RouteMatch<T> {
  readonly methods: ReadonlyMap<string, T>;
  readonly segments: readonly string[];
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  named: Node<T> | undefined;
  readonly methods: Map<string, T>;
}

/** Routes as a tree of path segments. A literal segment wins over a named one; a slash at the end makes no difference. */
export class RouteTable<T> {
  readonly #root: Node<T> = newNode();

  /** Stores a route. Answers false when an equal one is there already. */
  add(method: string, segments: readonly ({ literal: string } | { name: string })[], value: T): boolean {
    let node = this.#root;
    for (const segment of segments) {
      if ("literal" in segment) {
        const next = node.literals.get(segment.literal) ?? newNode();
        node.literals.set(segment.literal, next);
        node = next;
      } else {
        node.named ??= newNode();
        node = node.named;
      }
    }
    if (node.methods.has(method)) return false;
    node.methods.set(method, value);
    return true;
  }

  /** Finds the route of a path as it stands in the request line, without its query. */
  find(path: string): RouteMatch<T> | undefined {
    if (!path.startsWith("/")) return undefined;
    const parts = path.slice(1, path.endsWith("/") && path.length > 1 ? -1 : undefined).split("/");
    const segments: string[] = [];
    const node = descend(this.#root, parts, 0, segments);
    return node && { methods: node.methods, segments };
  }
}

function descend<T>(node: Node<T>, parts: readonly string[], depth: number, segments: string[]): Node<T> | undefined {
  const part = parts[depth];
  if (part === undefined) return node.methods.size > 0 ? node : undefined;
  const literal = node.literals.get(part);
  const found = literal && descend(literal, parts, depth + 1, segments);
  if (found !== undefined) return found;
  if (node.named === undefined || part === "") return undefined;
  segments.push(part);
  const below = descend(node.named, parts, depth + 1, segments);
  if (below === undefined) segments.pop();
  return below;
}

function newNode<T>(): Node<T> {
  return { literals: new Map(), named: undefined, methods: new Map() };
}
