import type { PathTemplate } from "./path-template.ts";

/** A route found: what was stored, and what was found in the places of its path, still percent-encoded. */
export interface RouteMatch<T> {
  readonly methods: ReadonlyMap<string, T>;
  readonly found: readonly string[];
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  named: Node<T> | undefined;
  /** Where all segments that are left lead. */
  rest: Node<T> | undefined;
  readonly methods: Map<string, T>;
}

/**
 * Routes as a tree of path segments, one for each verb. A text wins over a place for one segment, and that over a place for all
 * that are left; a slash at the end makes no difference.
 */
export class RouteTable<T> {
  readonly #plain: Node<T> = newNode();
  readonly #verbs = new Map<string, Node<T>>();

  /** Stores a route. Answers false when an equal one is there already. */
  add(method: string, { segments, verb }: Pick<PathTemplate, "segments" | "verb">, value: T): boolean {
    let node = this.#rootOf(verb);
    for (const segment of segments) {
      if ("literal" in segment) {
        const next = node.literals.get(segment.literal) ?? newNode();
        node.literals.set(segment.literal, next);
        node = next;
      } else if (segment.rest) {
        node.rest ??= newNode();
        node = node.rest;
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
    return (this.#verbs.size > 0 ? this.#findVerb(path) : undefined) ?? findBelow(this.#plain, path);
  }

  #findVerb(path: string): RouteMatch<T> | undefined {
    const colon = path.lastIndexOf(":");
    const root = colon < path.lastIndexOf("/") ? undefined : this.#verbs.get(path.slice(colon + 1));
    return root && findBelow(root, path.slice(0, colon));
  }

  #rootOf(verb: string): Node<T> {
    if (verb === "") return this.#plain;
    const root = this.#verbs.get(verb) ?? newNode();
    this.#verbs.set(verb, root);
    return root;
  }
}

function findBelow<T>(root: Node<T>, path: string): RouteMatch<T> | undefined {
  const parts = path.slice(1, path.endsWith("/") && path.length > 1 ? -1 : undefined).split("/");
  const found: string[] = [];
  const node = descend(root, parts, 0, found);
  return node && { methods: node.methods, found };
}

function descend<T>(node: Node<T>, parts: readonly string[], depth: number, found: string[]): Node<T> | undefined {
  const part = parts[depth];
  if (part === undefined && node.methods.size > 0) return node;
  const below = part === undefined ? undefined : descendOne(node, parts, depth, found);
  if (below !== undefined || node.rest === undefined) return below;
  found.push(parts.slice(depth).join("/"));
  return node.rest;
}

function descendOne<T>(node: Node<T>, parts: readonly string[], depth: number, found: string[]): Node<T> | undefined {
  const part = parts[depth] ?? "";
  const literal = node.literals.get(part);
  const below = literal && descend(literal, parts, depth + 1, found);
  if (below !== undefined) return below;
  if (node.named === undefined || part === "") return undefined;
  found.push(part);
  const named = descend(node.named, parts, depth + 1, found);
  if (named === undefined) found.pop();
  return named;
}

function newNode<T>(): Node<T> {
  return { literals: new Map(), named: undefined, rest: undefined, methods: new Map() };
}
