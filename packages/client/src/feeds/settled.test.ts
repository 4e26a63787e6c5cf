import { message } from '../../../../test/support/page/rows';
import { settledSeq } from './settled';

test('reading starts behind the messages that are complete, final and without gaps', () => {
  const log = (length: number) => Array.from({ length }, (_, index) => message(index + 1));
  expect(settledSeq(log(151))).toBe(100);
  expect(settledSeq(log(151).with(79, message(80, { status: 'streaming' })))).toBe(79);
  expect(settledSeq(log(151).with(79, message(80, { status: 'error' })))).toBe(79);
  expect(settledSeq(log(151).toSpliced(79, 1))).toBe(79);
  expect(settledSeq(log(151).with(79, message(80, { status: 'cancelled' })))).toBe(100);
});

test('messages that may still be amended are read again', () => {
  expect(settledSeq([message(1), message(2)])).toBe(0);
  expect(settledSeq([])).toBe(0);
});
