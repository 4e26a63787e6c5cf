import { createClient } from 'vigil-client';
import { WebSocket } from 'ws';
import { tokenFor } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { liveClient, watchersOf } from './support/live-client';
import { longTest } from './support/long';

// The words of a reply reach those who watch before their sentence is stored. The rows say the same, and repair what is lost.

const begun = 'The first sentence. The second one is not';
const rest = ' complete yet.';

describe('the words of a reply (R207)', () => {
  let vigil: Vigil;
  let leaves: (() => unknown)[];
  beforeAll(async () => {
    vigil = await startVigil({ style: { deltas: 'fragments' } });
  });
  afterAll(() => vigil?.stop());
  beforeEach(() => {
    leaves = [];
  });
  afterEach(async () => {
    for (const leave of leaves) await leave();
  });
  const speaking = () => vigil.model.script([{ text: begun + rest, holdAfter: begun.length }]);

  /** A client in Node whose user sees the conversation, with each text that it has shown of the latest reply. */
  function tab(id: string) {
    const client = createClient({ url: vigil.url, WebSocket, token: () => tokenFor(vigil.url, vigil.idOf('ada')) });
    const feed = client.conversation(id);
    const last = () => feed.getSnapshot().conversation?.messages.at(-1);
    const shown: { attempt?: number; text: string }[] = [];
    const note = () => {
      const { attempt, text = '' } = last() ?? {};
      if (text !== shown.at(-1)?.text) shown.push({ attempt, text });
    };
    leaves.push(feed.subscribe(note, () => true));
    const shows = (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (last()?.text.trim() !== text) return;
          leave();
          resolve();
        };
        const leave = feed.subscribe(look, () => true);
        leaves.push(leave);
        look();
      });
    return { feed, last, shows, shown };
  }
  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** A conversation that some tabs show, and that a client reads that knows no deltas. */
  async function watched(tabs: number) {
    const ada = await vigil.user();
    const { id } = await ada.start('reminder');
    const opened = Array.from({ length: tabs }, () => tab(id));
    const probe = await liveClient(ada);
    leaves.push(() => probe.close());
    await probe.follow(id);
    const seen = probe.next(({ type }) => type === 'watched');
    probe.send({ action: 'watch', conversationId: id, visible: true, turn: 1 });
    await seen;
    await until(async () => (await watchersOf(vigil, id)) === tabs + 1);
    return { ada, id, probe, tabs: opened };
  }
  const deltasOf = ({ received }: Awaited<ReturnType<typeof liveClient>>) =>
    received.flatMap((message) => (message.type === 'delta' ? [message] : []));

  /** Every text that was shown was a beginning of the text of its attempt, and attempts were shown in order. */
  function expectNoMix(shown: { attempt?: number; text: string }[], texts: string[]): void {
    let latest = 0;
    for (const { attempt, text } of shown.filter(({ text }) => text !== '' && text !== 'Tell me')) {
      expect(attempt).toBeGreaterThanOrEqual(latest);
      latest = attempt!;
      expect(texts[attempt! - 1]!.slice(0, text.length)).toBe(text);
    }
  }

  test('two tabs show half a sentence, of which the table has nothing, and end with what a read says', async () => {
    speaking();
    const { ada, id, tabs, probe } = await watched(2);
    await ada.say(id, 'Tell me');
    await Promise.all(tabs.map(({ shows }) => shows(begun)));
    expect((await ada.read(id)).messages.at(-1)!.text.trim()).toBe('The first sentence.');
    // Who ignores deltas, as clients from before there were any, has what the rows say.
    expect(probe.of(id)!.messages.at(-1)!.text).not.toContain('second');
    vigil.model.release();
    const read = await ada.finished(id);
    for (const { last, shows, shown } of tabs) {
      await shows(begun + rest);
      await until(() => last()!.status === 'complete');
      expect(last()).toEqual(read.messages.at(-1));
      expectNoMix(shown, [begun + rest]);
    }
    await probe.until(() => probe.of(id)!.messages.at(-1)!.text === begun + rest);
    const own = deltasOf(probe);
    expect(own.length).toBeGreaterThan(0);
    for (const { conversationId, seq, from, text } of own)
      expect([conversationId, seq, (begun + rest).slice(from, from + text.length)]).toEqual([id, 2, text]);
    expect(vigil.logs()).not.toContain('second one');
  });

  test('CallModel is killed in the middle of a sentence: the next attempt begins anew on the screen (R29)', async () => {
    const again = 'Another beginning. And an';
    vigil.model.script([
      { text: begun + rest, holdAfter: begun.length },
      { text: `${again} end.`, holdAfter: again.length },
    ]);
    const { ada, id, tabs } = await watched(2);
    await ada.say(id, 'Tell me');
    await Promise.all(tabs.map(({ shows }) => shows(begun)));
    await vigil.fault({ function: 'CallModel', kind: 'crash', at: 'now' });
    await vigil.advanceUntil(() => vigil.model.calls === 2, 'PT1S');
    await Promise.all(tabs.map(({ shows }) => shows(again)));
    vigil.model.release();
    const read = await ada.finished(id);
    for (const { last, shown } of tabs) {
      await until(() => last()!.status === 'complete');
      expect(last()).toEqual(read.messages.at(-1));
      expectNoMix(shown, [begun + rest, `${again} end.`]);
    }
  });

  longTest('without Broadcast, the words are shown until the reply ends, and its rows come later', async () => {
    speaking();
    const { ada, id, tabs } = await watched(1);
    await vigil.fault({ function: 'Broadcast', kind: 'error', times: 1_000 });
    await ada.say(id, 'Tell me');
    const [{ shows, shown, last }] = tabs as [ReturnType<typeof tab>];
    await shows(begun);
    vigil.model.release();
    const read = await ada.finished(id);
    await shows(begun + rest);
    await vigil.clearFaults();
    await until(() => last()!.status === 'complete');
    expect(last()).toEqual(read.messages.at(-1));
    expectNoMix(shown, [begun + rest]);
  });
});
