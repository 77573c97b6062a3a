/** The expression of a template that is one output and nothing else (`{{ input.rate }}`); undefined where it is not. */
export function soleOutput(template: string): string | undefined {
  if (template.length < 4 || !template.startsWith("{{") || !template.endsWith("}}")) return undefined;
  const inner = template.slice(2, -2);
  if (inner.includes("{{") || inner.includes("}}") || inner.endsWith("}")) return undefined;
  const start = inner.startsWith("-") ? 1 : 0;
  // Hyphens inside of the braces only say what becomes of the blanks around them.
  const end = inner.length > start && inner.endsWith("-") ? -1 : undefined;
  return inner.slice(start, end);
}
