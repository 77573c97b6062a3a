const maxLength = 63;

/** A DNS label (RFC 1035: a letter first) that reads like the name. */
export function serviceNameOf(name: string): string {
  const plain = name.normalize("NFKD").toLowerCase();
  const label = plain
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  if (label === "") return "deployment";
  return shortened(/^[a-z]/.test(label) ? label : `d-${label}`, maxLength);
}

/**
 * Names to try, best first; the last is practically always free. `id`: a unique uuid, so that callers that want the
 * same name at the same moment do not collide again at the second best.
 */
export function serviceNames(wanted: string, id: string): string[] {
  const digits = id.replaceAll("-", "");
  return [wanted, withSuffix(wanted, `-${digits.slice(-6)}`), withSuffix(wanted, `-${digits.slice(-16)}`)];
}

function withSuffix(label: string, suffix: string): string {
  return `${shortened(label, maxLength - suffix.length)}${suffix}`;
}

function shortened(label: string, length: number): string {
  return label.slice(0, length).replace(/-$/, "");
}
