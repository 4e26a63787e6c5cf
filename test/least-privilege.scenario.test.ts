import { changedAssembly, revoke } from './support/changed-assembly';
import { nudgeToEnd, nudgeUntil } from './support/patience';
import { call } from './support/reminder-story';
import { startVigil, type Vigil } from './support/vigil';

// Every call of a function and of the state machine is checked against the template's policies: what the template does not
// allow fails here as it would on AWS. So a right that is taken away must be missed.

describe('R120 without the right', () => {
  let vigil: Vigil;
  let assembly: ReturnType<typeof changedAssembly>;
  afterEach(async () => {
    await vigil?.stop();
    assembly?.remove();
  });

  async function givenWithout(role: string, action: string) {
    assembly = changedAssembly((template) => revoke(template, role, action));
    const script = [call('c', 'current_time', {}), { text: 'Told.' }];
    vigil = await startVigil({ script, deployment: assembly.folder });
    return vigil.user();
  }

  test.each([
    ['to write to the table', 'CallModel', 'dynamodb:PutItem'],
    ['to read the log', 'CallModel', 'dynamodb:Query'],
    ['to read the key', 'CallModel', 'secretsmanager:GetSecretValue'],
    ['to invoke a function', 'AgentLoop', 'lambda:InvokeFunction'],
  ])('%s, a run fails (%s: %s)', async (_what, role, action) => {
    const ada = await givenWithout(role, action);
    const { id } = await ada.start('reminder', 'What time is it?');
    const { run } = await nudgeToEnd(vigil, id);
    expect(run).toMatchObject({ status: 'failed', reason: expect.stringMatching(/not authorized to perform/) });
    expect(vigil.model.calls).toBe(0);
  });

  test('to write its outcome, a tool fails, and the model is told', async () => {
    const ada = await givenWithout('CurrentTime', 'dynamodb:UpdateItem');
    const { id } = await ada.start('reminder', 'What time is it?');
    const { status, calls } = await nudgeToEnd(vigil, id);
    expect(status).toBe('done');
    expect(calls[0]).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/not authorized to perform: dynamodb:UpdateItem/),
    });
  });

  test('to start an execution, the API leaves the run to the relay', async () => {
    const ada = await givenWithout('Api', 'states:StartExecution');
    const { id } = await ada.start('reminder', 'What time is it?');
    await nudgeUntil(vigil, async () => (await ada.read(id)).status === 'done');
  });
});
