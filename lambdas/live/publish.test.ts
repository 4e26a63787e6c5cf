import type { PutEventsRequestEntry, PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import type { FinishedEvent } from '../../core/people/live/events';
import { type LoggedLine, loggedLines } from '../../test/support/logged';
import { type Publication, publishAll } from './publish';

let lines: LoggedLine[];
beforeEach(() => {
  lines = loggedLines();
});

const publication = (number: number, text = ''): Publication => {
  const detail = { deduplicationId: `d${number}`, author: text } as FinishedEvent['detail'];
  const event = { detailType: 'Message finished', time: '2026-03-01T08:00:00.000Z', detail } as FinishedEvent;
  return { sequenceNumber: String(number), event };
};
const publications = (count: number, text?: string) =>
  Array.from({ length: count }, (_, index) => publication(index, text));

/** A bus that refuses the given entries a given number of times. */
function bus(refused: Record<string, number> = {}) {
  const calls: PutEventsRequestEntry[][] = [];
  const left = { ...refused };
  const put = async (entries: PutEventsRequestEntry[]): Promise<PutEventsResultEntry[]> => {
    calls.push(entries);
    return entries.map(({ Detail }) => {
      const id = (JSON.parse(Detail!) as { deduplicationId: string }).deduplicationId;
      if (!left[id]) return { EventId: id };
      left[id] -= 1;
      return { ErrorCode: 'ThrottlingException' };
    });
  };
  return { put, calls };
}

test('no more than ten entries go into a call, nor more than 256 KB', async () => {
  const { put, calls } = bus();
  expect(await publishAll(put, publications(23))).toEqual([]);
  expect(calls.map(({ length }) => length)).toEqual([10, 10, 3]);

  const large = bus();
  await publishAll(large.put, publications(5, 'ö'.repeat(50_000)));
  expect(large.calls.map(({ length }) => length)).toEqual([2, 2, 1]);
});

test('an entry says where it is from, what it is and when it happened', async () => {
  const { put, calls } = bus();
  await publishAll(put, [publication(1)]);
  expect(calls[0]![0]).toEqual({
    Source: 'vigil',
    DetailType: 'Message finished',
    Detail: '{"deduplicationId":"d1","author":""}',
    Time: new Date('2026-03-01T08:00:00Z'),
  });
});

test('an entry that is refused is put again, without the others', async () => {
  const { put, calls } = bus({ d1: 1 });
  expect(await publishAll(put, publications(3))).toEqual([]);
  expect(calls.map(({ length }) => length)).toEqual([3, 1]);
});

test('an entry that is refused in all attempts is reported, by its sequence number', async () => {
  expect(await publishAll(bus({ d1: 9, d4: 9 }).put, publications(12))).toEqual(['1', '4']);
});

test('a call that fails has published nothing; the others have', async () => {
  const { put } = bus();
  let calls = 0;
  const failing = async (entries: PutEventsRequestEntry[]) => {
    if (entries.length < 10 && calls++ < 9) throw new Error('out of order');
    return put(entries);
  };
  expect(await publishAll(failing, publications(12))).toEqual(['10', '11']);
});

test('an entry that the bus rejects permanently is given up, so the pages do not wait for it', async () => {
  let calls = 0;
  const denied = async () => {
    calls += 1;
    throw Object.assign(new Error('no'), { name: 'AccessDeniedException' });
  };
  expect(await publishAll(denied, publications(3))).toEqual([]);
  expect(calls).toBe(1);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'ERROR', message: expect.stringContaining('events are lost') }),
  );
});
