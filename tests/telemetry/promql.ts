import { parser } from "@prometheus-io/lezer-promql";

/** What a query asks of one metric. */
export interface Selection {
  /** As it is written, with `_bucket`, `_count` or `_sum`. */
  metric: string;
  matchers: readonly { label: string; op: string; value: string }[];
  /** Labels that aggregations around it keep. */
  grouped: readonly string[];
  /** Whether it stands in `rate` or `increase`. */
  isRated: boolean;
}

type Node = ReturnType<typeof parser.parse>["topNode"];

/** The selections of a query. @throws SyntaxError for text that is none */
export function selectionsOf(query: string): Selection[] {
  const tree = parser.parse(query);
  const found: Selection[] = [];
  tree.iterate({
    enter({ type, node }) {
      if (type.isError) throw new SyntaxError(`no PromQL at ${node.from}: ${query}`);
      if (type.name === "VectorSelector") found.push(selectionOf(node, query));
    },
  });
  if (found.length === 0) throw new SyntaxError(`asks for no metric: ${query}`);
  return found;
}

function selectionOf(node: Node, query: string): Selection {
  const text = ({ from, to }: { from: number; to: number }) => query.slice(from, to);
  const name = node.getChild("Identifier");
  const matchers = (node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? []).map((matcher) => ({
    label: textOf(matcher.getChild("LabelName")),
    op: textOf(matcher.getChild("MatchOp")),
    value: String(JSON.parse(textOf(matcher.getChild("StringLiteral")))),
  }));
  const grouped: string[] = [];
  let isRated = false;
  for (let above = node.parent; above; above = above.parent) {
    const labels = above.getChild("AggregateModifier")?.getChild("GroupingLabels")?.getChildren("LabelName") ?? [];
    grouped.push(...labels.map(text));
    const called = above.name === "FunctionCall" ? textOf(above.getChild("FunctionIdentifier")) : "";
    if (called === "rate" || called === "increase") isRated = true;
  }
  return { metric: textOf(name), matchers, grouped, isRated };

  function textOf(part: Node | null): string {
    if (!part) throw new SyntaxError(`cannot be read: ${query}`);
    return text(part);
  }
}
