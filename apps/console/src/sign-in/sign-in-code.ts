/**
 * The code of a one-time link, such as `…/sign-in#code=aic_…`; undefined where the address has none. The address loses it at once, so
 * that neither the history nor a copied address has it.
 */
export function takeSignInCode(
  { hash, pathname, search }: Pick<Location, "hash" | "pathname" | "search">,
  history: Pick<History, "replaceState">,
): string | undefined {
  const code = new URLSearchParams(hash.slice(1)).get("code");
  if (code === null) return undefined;
  history.replaceState(null, "", pathname + search);
  return code === "" ? undefined : code;
}
