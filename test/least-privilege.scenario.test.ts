import { changedAssembly, revoke } from './support/clouds/changed-assembly';
import { startVigil } from './support/clouds/vigil';
import { startBedrock } from './support/servers/bedrock-server';
import { startThirdParty } from './support/servers/third-party';
import { stopAfterEach } from './support/stop-after-each';
import { nudgeToEnd } from './support/stories/patience';
import { call, resultsIn } from './support/stories/transcript';

// Every call of a function and of the state machine is checked against the template's policies: what the template does not
// allow fails here as it would on AWS. So a right that is taken away must be missed. What is told outside is that access was
// denied, and neither to whom nor to what: that is for the log and for those who may read the policies.

const stopped = stopAfterEach();
const failed = /^The platform failed \(AccessDeniedException\); the function's log says more\.$/;

/** The runs in which a function logged that it was denied something. */
const deniedIn = (logs: string): unknown[] =>
  logs
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"error":"AccessDeniedException"'))
    .map((line) => (JSON.parse(line) as { runId?: string }).runId);

test('each right that is taken away is missed, where it is needed (R120, R148, R206)', async () => {
  const bedrock = stopped(await startBedrock());
  const party = stopped(await startThirdParty());
  const vigil = stopped(await startVigil({ variables: { BEDROCK_BASE_URL: bedrock.url } }));
  const ada = await vigil.user();
  const without = (...rights: [role: string, action: string][]) =>
    vigil.deploy(
      changedAssembly((template) => {
        for (const [role, action] of rights) revoke(template, role, action);
      }),
    );
  async function run(toolCall = call('c', 'current_time', {}), agent = 'tester') {
    vigil.model.script([toolCall, { text: 'Told.' }]);
    const { id } = await ada.start(agent, 'Go');
    return nudgeToEnd(vigil, id);
  }

  // The control: it is the missing right that the others fail for.
  const whole = await run();
  expect([whole.status, whole.calls[0]!.status]).toEqual(['done', 'completed']);
  expect(vigil.logs()).not.toContain('AccessDenied');

  // To start an execution, which the API then leaves to the relay; and to write a tool's outcome, which the model is told.
  await without(['Api', 'states:StartExecution'], ['RunIsolated', 'dynamodb:UpdateItem']);
  const untold = await run();
  expect(untold.status).toBe('done');
  expect(untold.calls[0]).toMatchObject({ status: 'failed', error: expect.stringMatching(failed) });
  expect(resultsIn(vigil)).toEqual([`Error: ${untold.calls[0]!.error}`]);
  expect(deniedIn(vigil.logs())).toContain(untold.run!.id);

  // To invoke an isolated tool: Lambda rejects the request, so the effect is certainly not there. And to a guardrail: nothing is asked.
  await without(['RunIsolatedRole', 'lambda:InvokeFunction'], ['CallModel', 'bedrock:ApplyGuardrail']);
  const unpaid = await run(call('c', 'pay_far', { url: party.url, cents: 100 }));
  expect(unpaid.calls).toMatchObject([{ status: 'failed', attempts: 3 }]);
  expect(resultsIn(vigil)[0]).toContain('could not be invoked (AccessDeniedException)');
  expect(party.requests).toEqual([]);
  expect((await run(undefined, 'at-guardrail')).run).toMatchObject({ status: 'failed' });
  expect(bedrock.requests).toEqual([]);

  // To write to the table, and to invoke a function: the run fails before its model is asked.
  const before = vigil.model.calls;
  await without(['CallModel', 'dynamodb:PutItem']);
  const unwritten = await run();
  expect(unwritten.run).toMatchObject({ status: 'failed', reason: expect.stringMatching(failed) });
  expect(deniedIn(vigil.logs())).toContain(unwritten.run!.id);
  await without(['MachinesAgent', 'lambda:InvokeFunction']);
  expect((await run()).run).toMatchObject({ status: 'failed', reason: 'Its function could not be invoked.' });
  expect(vigil.model.calls).toBe(before);
});
