/** How long a timer's execution waits before it hands over. An execution lives at most a year. */
export const longestWaitSeconds = 300 * 86_400;

/** A Wait state or a timeout may end slightly early by the clock of the process that checks it. */
export const clockToleranceMs = 5_000;
