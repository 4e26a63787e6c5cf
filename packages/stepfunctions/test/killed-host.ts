import { movedClock } from '../src/clock/moved-clock';
import { startStepFunctions } from '../src/start';

/**
 * The process that the kill test kills: an engine on a folder that does what its parent says. Functions answer their input;
 * `ask` gives its token to the parent, and every status event goes there too.
 */
async function main(directory: string): Promise<void> {
  const engine = await startStepFunctions({
    directory,
    clock: movedClock(),
    services: {
      async invokeLambda({ functionName, payload }) {
        if (functionName === 'ask') process.send!({ token: JSON.parse(payload).token });
        return { payload };
      },
    },
    async onStatusChange({ detail }) {
      process.send!({ event: { name: detail.name, status: detail.status } });
    },
    log: (line) => process.send!({ log: line }),
    // Short segments: compaction is killed as well.
    segmentSize: 100_000,
  });
  process.on('message', ({ id, action, body }: { id: number; action: string; body: object }) => {
    void engine.call(action, body).then((answer) => process.send!({ id, answer }));
  });
  process.send!({ ready: true });
}

process.on('disconnect', () => process.exit(0));
void main(process.argv[2]!);
