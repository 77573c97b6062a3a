/** Longest path that the platform takes along to the provider and back, in characters. */
const maxPathLength = 1_500;

/** Where a browser goes to sign in with a provider. A path that is too long to come back to is left out. */
export function signInAddress(apiUrl: string, provider: string, to: string): string {
  const address = `${apiUrl}/platform/sign-in/${encodeURIComponent(provider)}/start`;
  const isNamed = to !== "/" && to.length <= maxPathLength;
  return isNamed ? `${address}?${new URLSearchParams({ to })}` : address;
}
