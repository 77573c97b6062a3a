/** Milliseconds of processor time that this thread spends on the work: the same on a machine that does much else. */
export function threadCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
