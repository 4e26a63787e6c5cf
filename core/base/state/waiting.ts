/** The longest wait of one execution, which lives at most a year and may have waited before. */
export const longestWaitSeconds = 300 * 86_400;

/** A Wait state or a timeout may end slightly early by the clock of the process that checks it. */
export const clockToleranceMs = 5_000;
