import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation } from 'vigil-client';
import { userId } from '../local/http-api/identity';
import { runCommand } from '../package/cli/command';
import { tokenFor } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { call } from './support/stories/transcript';

// `vigil eval pull` reads what its caller may read, and writes it without personal data.

describe('conversations that become cases', () => {
  let vigil: Vigil;
  const cwd = process.cwd();
  mkdirSync(join(cwd, '.vigil/test'), { recursive: true });
  const folder = mkdtempSync(join(cwd, '.vigil/test/pulled-'));
  beforeAll(async () => {
    vigil = await startVigil({ script: () => ({ text: 'Hello, I know nothing.' }) });
    process.chdir(folder);
  });
  afterAll(async () => {
    process.chdir(cwd);
    rmSync(folder, { recursive: true });
    await vigil?.stop();
  });

  const said: string[] = [];
  const pull = async (...args: string[]) => {
    said.length = 0;
    await runCommand(['eval', 'pull', ...args, '--url', vigil.url], (line) => said.push(line));
    return readdirSync('evals/recorded').map((file) => file.replace('.json', ''));
  };
  const recorded = (name: string): Conversation =>
    JSON.parse(readFileSync(`evals/recorded/${name}.json`, 'utf8')) as Conversation;

  test('marked ones and those with a thumbs down, of the caller and those shared with them, and no others (R235)', async () => {
    const [ada, ben] = await Promise.all(['ada', 'ben'].map((name) => vigil.user(name)));
    const start = async (user: typeof ada, text: string) => {
      const { id } = await user!.start('reminder', text);
      return user!.finished(id);
    };
    const marked = await start(ada, 'I am Xaver Huber, xaver@private.example.org. What now?');
    const bad = await start(ada, 'And this?');
    const fine = await start(ada, 'And that?');
    const others = await start(ben, 'A secret of Ben');
    const shared = await start(ben, 'Shared by Ben');
    const [say, rate] = [ada!.client.api.giveFeedback, ben!.client.api.giveFeedback];
    await say(marked.id, 1, { dataset: true, reason: 'Xaver is hard to please' });
    await say(bad.id, 2, { verdict: 'down' });
    await say(fine.id, 2, { verdict: 'up' });
    await rate(others.id, 2, { verdict: 'down', dataset: true });
    await rate(shared.id, 2, { verdict: 'down' });
    await ben!.client.api.setMember(shared.id, { member: `user:${userId(vigil.idOf('ada'))}`, role: 'watcher' });
    await ada!.client.api.acceptInvitation(shared.id);
    const own = ['--user', vigil.idOf('ada')];
    expect(await pull('--marked', ...own)).toHaveLength(1);
    expect(said.at(-1)).toMatch(/^1 pulled/);
    const [name] = await pull('--marked', ...own);
    expect(said).toEqual([`evals/recorded/${name}.json is there already, and stays.`, 'Nothing new was pulled.']);
    expect(await pull('--marked', '--down', ...own)).toHaveLength(3);
    const all = readdirSync('evals/recorded')
      .map((file) => readFileSync(`evals/recorded/${file}`, 'utf8'))
      .join();
    for (const words of ['Xaver', 'Huber', 'private.example.org', 'A secret of Ben', 'And that?', marked.id])
      expect(all).not.toContain(words);
    expect(all).toContain('Shared by Ben');
    expect(recorded(name!).messages[0]).toMatchObject({
      text: 'I am Person 1, person-1@example.com. What now?',
      feedback: [{ user: 'user-1', dataset: true, reason: 'Person 1 is hard to please' }],
    });
    // Another person’s is as if it were not there.
    const refused = await pull(others.id, ...own).catch((error: Error & { exitCode?: number }) => error);
    expect(refused).toMatchObject({ message: expect.stringContaining('You have no conversation'), exitCode: 2 });
  });

  test('a case keeps the results of tools by their arguments, and who decided when (R235)', async () => {
    vigil.model.script([
      call('h', 'hand_off_to_account_manager', { reason: 'A transfer.' }),
      call('t', 'transfer', { to: 'Ada', amount_cents: 90_000, purpose: 'Rent of Xaver Huber' }),
      { text: 'Sent to Ada.' },
    ]);
    const ada = await vigil.user('ada');
    const { id } = await ada.start('bank', 'I am Xaver Huber. Send 900 to Ada, please.');
    const { callbacks } = await ada.waiting(id);
    await vigil.advance('P2D');
    await ada.answer(id, callbacks[0]!.id, { approved: true });
    await ada.finished(id);
    process.env.VIGIL_TOKEN = await tokenFor(vigil.url, vigil.idOf('ada'));
    const before = new Set(readdirSync('evals/recorded'));
    await pull(id).finally(() => delete process.env.VIGIL_TOKEN);
    const [name] = readdirSync('evals/recorded')
      .filter((file) => !before.has(file))
      .map((file) => file.replace('.json', ''));
    const whole = recorded(name!);
    const transfer = whole.calls.find(({ tool }) => tool === 'transfer')!;
    expect(transfer).toMatchObject({ status: 'completed', arguments: { amount_cents: 90_000 } });
    // The first one is who decided.
    expect(transfer.arguments).toMatchObject({ to: 'Person 3', purpose: 'Rent of Person 2' });
    expect(transfer.result).toMatchObject({ moved_cents: 90_000 });
    expect(JSON.stringify(whole)).not.toMatch(/Xaver|Huber|Ada\b|eyJ/);
    const code = readFileSync(`evals/${name}.eval.ts`, 'utf8');
    expect(code).toContain('says: "I am Person 2. Send 900 to Person 3, please."');
    // The clock moved by two days, and went on by itself meanwhile.
    expect(code).toMatch(/\{ ?"after": ?"P2D(T\d+M)?", ?"approve": ?"transfer" ?\}/);
    expect(code).not.toMatch(/Xaver|Huber|Ada\b/);
  });
});
