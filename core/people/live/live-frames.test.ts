import fc from 'fast-check';
import { type LiveRow, ServerMessage } from './live';
import { frameBytes, framesOf } from './live-frames';

const row = (seq: number, text: string): LiveRow => ({
  kind: 'message',
  row: {
    seq,
    version: 2,
    role: 'assistant',
    author: 'a',
    text,
    status: 'complete',
    createdAt: '2026-03-01T08:00:00.000Z',
  },
});

test('no frame is too large, and together they say everything in order', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', '\n'), maxLength: 300 }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(texts, fc.integer({ min: 300, max: 3_000 }), (all, limit) => {
      const rows = all.map((text, index) => row(index + 1, text));
      const frames = framesOf({ conversationId: 'c' }, rows, limit);
      for (const frame of frames) expect(Buffer.byteLength(frame)).toBeLessThanOrEqual(limit);
      const said = frames.flatMap((frame) => (ServerMessage.parse(JSON.parse(frame)) as { rows: unknown[] }).rows);
      const whole = limit - Buffer.byteLength('{"type":"rows","conversationId":"c","rows":[]}');
      expect(said).toEqual(
        rows.map((one) =>
          Buffer.byteLength(JSON.stringify(one)) <= whole
            ? one
            : { kind: 'message', key: String((one.row as { seq: number }).seq), version: 2, changed: true },
        ),
      );
    }),
  );
});

test('what fits into one frame is one', () => {
  const rows = [row(1, 'x'.repeat(10_000)), row(2, 'y'.repeat(20_000))];
  expect(framesOf({ conversationId: 'c' }, rows)).toHaveLength(1);
  expect(framesOf({ conversationId: 'c' }, [...rows, row(3, 'z'.repeat(5_000))])).toHaveLength(2);
  expect(framesOf({ list: true }, [])).toEqual([]);
  expect(frameBytes).toBe(32_768);
});
