import { changedAssembly, revoke } from './support/clouds/changed-assembly';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// Every call of a function and of the state machine is checked against the template's policies: what the template does not
// allow fails here as it would on AWS. So a right that is taken away must be missed. What is told outside is that access was
// denied, and neither to whom nor to what: that is for the log and for those who may read the policies.

const failed = /^The platform failed \(AccessDeniedException\); the function's log says more\.$/;

describe('without the right (R120)', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());

  const givenWithout = (role: string, action: string) =>
    given(changedAssembly((template) => revoke(template, role, action)));

  async function given(deployment?: string) {
    const script = [call('c', 'current_time', {}), { text: 'Told.' }];
    vigil = await startVigil({ script, deployment });
    return vigil.user();
  }

  test('nothing taken away, the same run is done: it is the missing right that the others fail for', async () => {
    const ada = await given();
    const { id } = await ada.start('reminder', 'What time is it?');
    const { status, calls } = await nudgeToEnd(vigil, id);
    expect([status, calls[0]!.status]).toEqual(['done', 'completed']);
    expect(vigil.logs()).not.toContain('AccessDenied');
  });

  test.each([
    ['to write to the table', 'CallModel', 'dynamodb:PutItem', failed],
    ['to invoke a function', 'MachinesAgent', 'lambda:InvokeFunction', /^Its function could not be invoked\.$/],
  ])('%s, a run fails (%s: %s)', async (_what, role, action, reason) => {
    const ada = await givenWithout(role, action);
    const { id } = await ada.start('reminder', 'What time is it?');
    const { run } = await nudgeToEnd(vigil, id);
    expect(run).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason) });
    expect(vigil.model.calls).toBe(0);
    if (role === 'CallModel') expect(deniedIn(vigil.logs())).toContain(run!.id);
  });

  test('to write the outcome, a tool fails, and the model is told', async () => {
    const ada = await givenWithout('RunIsolated', 'dynamodb:UpdateItem');
    const { id } = await ada.start('reminder', 'What time is it?');
    const { status, calls } = await nudgeToEnd(vigil, id);
    expect(status).toBe('done');
    expect(calls[0]).toMatchObject({ status: 'failed', error: expect.stringMatching(failed) });
    const told = vigil.model.requests.at(-1)!.messages.at(-1);
    expect(told).toMatchObject({ role: 'tool', content: `Error: ${calls[0]!.error}` });
    expect(deniedIn(vigil.logs())).toContain(calls[0]!.runId);
  });

  /** The runs in which a function logged that it was denied something. */
  const deniedIn = (logs: string): unknown[] =>
    logs
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes('"error":"AccessDeniedException"'))
      .map((line) => (JSON.parse(line) as { runId?: string }).runId);

  test('to start an execution, the API leaves the run to the relay', async () => {
    const ada = await givenWithout('Api', 'states:StartExecution');
    const { id } = await ada.start('reminder', 'What time is it?');
    await vigil.advanceUntil(async () => (await ada.read(id)).status === 'done');
  });
});
