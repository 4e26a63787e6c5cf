import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { reminderStory, reminderWords, wish } from './support/stories/reminder-story';
import { call } from './support/stories/transcript';

// The folder of the client, and a Python with its packages: `test/python-client.sh` generates the client.
const { PYTHON_CLIENT: client, PYTHON: python = 'python3' } = process.env;

(client ? describe : describe.skip)('a Python client that is generated from docs/openapi.json', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeAll(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterAll(() => Promise.all([vigil?.stop(), party?.stop()]));

  async function run(args: string[], variables: Record<string, string> = {}): Promise<string> {
    const env = { ...process.env, ...variables, PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1' };
    return (await promisify(execFile)(python, args, { env })).stdout;
  }

  test('starts a reminder, sees it sleep and wake, reads problems, and approves a payment (R179)', async () => {
    vigil.model.script((request) => {
      const { messages } = request;
      if (!messages.some(({ content }) => content === 'Pay')) return reminderStory(request);
      const isPaid = messages.some(({ role }) => role === 'tool');
      return isPaid ? { text: 'Paid.' } : call('c', 'pay', { url: party.url, cents: 20_000 });
    });
    const stdout = await run([join(__dirname, 'support/stories/python-story.py'), vigil.url, vigil.idOf('ada'), wish]);
    const tomorrow = (await vigil.now()).toISOString().slice(0, 10);
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual({
      agents: expect.arrayContaining(['reminder', 'tester']),
      started: [201, 200, true],
      until: `${tomorrow}T08:00:00+00:00`,
      sleeping: true,
      expired: [401, 'Unauthorized'],
      words: reminderWords,
      tokens: true,
      problems: [
        [400, ['agent']],
        [400, ['text']],
        [404, []],
      ],
      approval: ['approval', 'pay', 20_000],
      decided: ['answered', 409, true],
      paid: [['pay', 'completed', { paid: 20_000 }]],
    });
    expect(party.effectPaths).toEqual(['/pay/20000']);
  });

  test.each([
    ['docs/api.md (R179)', 'It is eight.\n'],
    ['docs/files.md (R216)', 'museum,12\ntaxi,30\n'],
  ])('runs the sample of %s', async (page, printed) => {
    vigil.model.script([{ text: 'It is eight.' }]);
    const text = readFileSync(join(__dirname, '..', page.split(' ')[0]!), 'utf8');
    const [, sample] = /```python\n(.*?)```/s.exec(text)!;
    const body = JSON.stringify({ user: vigil.idOf('ada') });
    const signedIn = await fetch(`${vigil.url}/_local/token`, { method: 'POST', body });
    const { token } = (await signedIn.json()) as { token: string };
    expect(await run(['-c', sample!], { VIGIL_URL: vigil.url, VIGIL_TOKEN: token })).toBe(printed);
  });
});
