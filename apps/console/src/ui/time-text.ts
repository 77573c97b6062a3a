const units: readonly (readonly [name: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });

/** How long before or after `now` a time is, both in ms since 1970: `5 sec. ago`, `in 3 min.`. */
export function relativeText(time: number, now: number): string {
  const seconds = Math.round((time - now) / 1000);
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(seconds === 0 ? -0 : seconds, "second");
}

/** A duration in whole seconds by its two largest units: `42 s`, `3 min 20 s`, `2 h 5 min`, `4 d 1 h`. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3_600)} h`;
}
