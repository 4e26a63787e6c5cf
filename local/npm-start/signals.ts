/** The time limit for stopping after Ctrl-C. What is not written by then is recovered as after a kill -9. */
const stopLimitMs = 900;

/** How often a process that npm has started looks whether npm is still there. */
const lookMs = 500;

/**
 * Stops the process cleanly on Ctrl-C or SIGTERM, and at once on the second signal. npm starts a script by a shell, which passes no signal on:
 * a process of npm's also stops when that shell is gone.
 */
export function stopOnSignals(stop: () => Promise<void>, say: (line: string) => void = () => undefined): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals | 'npm has ended') => {
    if (stopping) process.exit(1);
    stopping = true;
    say(`Stopping (${signal}).`);
    setTimeout(() => process.exit(0), stopLimitMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // A closed pipe (`| head`) must not end the process in the middle of its work.
  process.stdout.on('error', () => undefined);
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  if (process.env.npm_lifecycle_event === undefined) return;
  const { ppid } = process;
  const looking = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(looking);
    onSignal('npm has ended');
  }, lookMs).unref();
}
