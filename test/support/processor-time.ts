/** Returns how long the processor has worked for this process, in milliseconds. Other processes do not lengthen it, as they do a time by the clock. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
