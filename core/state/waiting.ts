/** The longest that one execution waits at once: it lives a year, and may have waited before. */
export const longestWaitSeconds = 300 * 86_400;

/** A Wait state or a state's timeout may end a little before the time, by the clock of the process that looks. */
export const clockToleranceMs = 5_000;
