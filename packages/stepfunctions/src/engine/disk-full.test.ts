import fs from 'node:fs';
import { EngineFixture, machine } from '../../test/engine-fixture';

describe('a disk that is full', () => {
  const fixture = new EngineFixture();
  const { call, create, begin, ended, types, restart } = fixture;
  const full = () =>
    jest.spyOn(fs, 'write').mockImplementation(((...args: unknown[]) => {
      const done = args.at(-1) as (error: Error) => void;
      setImmediate(() => done(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })));
    }) as never);
  afterEach(() => jest.restoreAllMocks());

  test('refuses what is asked, ends nothing, and goes on when there is room', async () => {
    const arn = await create('m', machine({ Sleep: { Type: 'Wait', Seconds: 60, End: true } }));
    const sleeper = await begin(arn, 'sleeper');
    full();
    const refused = {
      status: 500,
      body: { message: expect.stringContaining('The journal cannot be written: ENOSPC') },
    };
    expect(await fixture.engine.call('StartExecution', { stateMachineArn: arn, name: 'under-way' })).toMatchObject(
      refused,
    );
    expect(await fixture.engine.call('StartExecution', { stateMachineArn: arn, name: 'later' })).toMatchObject(refused);
    // What happens of itself waits.
    fixture.clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(fixture.events.map(({ status }) => status)).toEqual(['RUNNING']);
    jest.restoreAllMocks();
    await fixture.until(async () => (await fixture.engine.call('ListStateMachines', {})).status === 200);
    await ended(sleeper);
    // The first was under way when the disk filled up; the other one was refused before it began.
    const named = (name: string) => ({ executionArn: sleeper.replace(':sleeper', `:${name}`) });
    expect((await call('DescribeExecution', named('under-way'))).name).toBe('under-way');
    await expect(call('DescribeExecution', named('later'))).rejects.toThrow('ExecutionDoesNotExist');
    await restart();
    expect((await types(sleeper)).at(-1)).toBe('ExecutionSucceeded');
  });

  test('does not keep an engine from its end', async () => {
    const arn = await create('m', machine({ Pass: { Type: 'Pass', End: true } }));
    full();
    expect((await fixture.engine.call('StartExecution', { stateMachineArn: arn, name: 'e' })).status).toBe(500);
    await restart();
    jest.restoreAllMocks();
    await begin(arn, 'e');
  });

  test('where a new segment cannot be made, either', async () => {
    await restart({ segmentSize: 1_000 });
    const arn = await create('m', machine({ Pass: { Type: 'Pass', End: true } }));
    const open = jest.spyOn(fs, 'openSync').mockImplementation(() => {
      throw new Error('ENOSPC: no space left on device, open');
    });
    const statuses: number[] = [];
    for (let i = 0; i < 10; i += 1)
      statuses.push((await fixture.engine.call('StartExecution', { stateMachineArn: arn, name: `e${i}` })).status);
    expect(statuses).toContain(500);
    open.mockRestore();
    await fixture.until(async () => (await fixture.engine.call('ListStateMachines', {})).status === 200);
    await ended(await begin(arn, 'after'));
  });
});
