import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordedConversation } from '../../test/support/stories/recorded';
import { placeIn, readRecording, weeksLater, withoutFiles } from './recording';

const folder = mkdtempSync(join(tmpdir(), 'vigil-recording-'));
afterAll(() => rmSync(folder, { recursive: true }));
function written(content: string): string {
  const path = join(folder, 'one.json');
  writeFileSync(path, content);
  return path;
}

const conversation = recordedConversation();

test('a recording is a file with a conversation, or the conversation itself (R234)', () => {
  for (const content of [conversation, { conversation }])
    expect(readRecording(written(JSON.stringify(content)))).toEqual({ conversation });
  const whole = { conversation, subAgents: [conversation] };
  expect(readRecording(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
});

test.each([
  [() => 'none.json', 'The recording none.json does not exist.'],
  [() => written('{'), 'one.json is no JSON: '],
  [() => written('[]'), 'one.json is no recording: '],
  [() => ({}), 'The recording is no recording: id: '],
  [() => ({ conversation: { ...conversation, calls: [{ id: 1 }] } }), 'no recording: conversation.calls.0.id: '],
])('what is none is refused in one line: %# (R234)', (from, message) => {
  const read = () => readRecording(from());
  expect(read).toThrow(message);
  expect(read).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
  expect(read).not.toThrow('\n');
});

test('a step is found by its number and that of its run; by default, in the last run (R234)', () => {
  const place = (step: number, run?: number) => placeIn({ conversation }, step, run);
  expect(place(1)).toEqual({
    runId: 'r_2',
    step: 1,
    seq: 6,
    agent: 'bank',
    at: Date.parse('2026-11-05T09:00:00.000Z'),
  });
  // The first attempt was cut off by a message.
  expect(place(2, 1)).toMatchObject({ runId: 'r_1', seq: 4 });
  expect(() => place(3, 1)).toThrow('There is no step 3 in run 1: run 1 has the steps 1, 2; run 2 has the steps 1.');
  expect(() => place(1, 7)).toThrow('There is no step 1 in run 7: run 1 has');
});

test('all of its dates are whole weeks later, in words, too; ids are not (R234)', () => {
  const said = 'On 2026-12-30, at 2026-12-30T18:00:00+01:00. Not x-2026-12-30, 2026-12-301 or 2026-13-99.';
  const [message] = conversation.messages;
  const moved = weeksLater({ conversation: { ...conversation, messages: [{ ...message!, text: said }] } }, 2);
  expect(moved.conversation.messages[0]).toMatchObject({
    text: 'On 2027-01-13, at 2027-01-13T18:00:00+01:00. Not x-2026-12-30, 2026-12-301 or 2026-13-99.',
    createdAt: '2026-11-16T09:00:00.000Z',
  });
});

test('its files are notes (R234)', () => {
  const id = `f_${'a'.repeat(43)}`;
  const file = { type: 'file', id, mediaType: 'image/png', size: 3, filename: 'a.png' };
  expect(withoutFiles({ list: [file, { type: 'file', of: 1 }], at: null })).toEqual({
    list: ['[The file a.png is not part of the recording]', { type: 'file', of: 1 }],
    at: null,
  });
});
