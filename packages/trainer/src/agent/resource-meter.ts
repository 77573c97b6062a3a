/** What the process has used since it was last asked. */
export class ResourceMeter {
  #cpu = process.cpuUsage();
  #at = performance.now();

  /** Processor use, 1 being one whole core; resident memory in bytes. */
  sample(): { cpu: number; memory: bigint } {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#cpu);
    const cpu = (user + system) / 1_000 / Math.max(1, now - this.#at);
    this.#cpu = process.cpuUsage();
    this.#at = now;
    return { cpu, memory: BigInt(process.memoryUsage.rss()) };
  }
}
