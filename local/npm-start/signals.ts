/** Time to stop in: who presses Ctrl-C wants the prompt back. What is not written by then is as after a kill -9, which is provided for. */
const stopLimitMs = 900;

/** Ends the process in order at Ctrl-C or SIGTERM, at once at the second. */
export function stopOnSignals(stop: () => Promise<void>, say: (line: string) => void = () => undefined): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    say(`Stopping (${signal}).`);
    setTimeout(() => process.exit(0), stopLimitMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // A screen that has gone away (`| head`) is no reason to end in the middle of something.
  process.stdout.on('error', () => undefined);
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
