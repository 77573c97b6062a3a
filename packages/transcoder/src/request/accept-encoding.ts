/** `br` or `gzip`, whichever is wanted more; `br` when both are wanted alike. */
export function chooseCoding(accept: string | undefined): "br" | "gzip" | undefined {
  const weights = codingWeights(accept);
  if (weights.br > 0 && weights.br >= weights.gzip) return "br";
  return weights.gzip > 0 ? "gzip" : undefined;
}

/** How much a client wants each coding that we have; 0: not at all. */
export function codingWeights(accept: string | undefined): { readonly br: number; readonly gzip: number } {
  const weights = { br: 0, gzip: 0 };
  if (accept === undefined || accept === "") return weights;
  for (const range of accept.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = range.split(";").map((part) => part.trim());
    const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    if (coding === "br" || coding === "gzip") weights[coding] = quality;
    else if (coding === "*") weights.gzip ||= quality;
  }
  return weights;
}
