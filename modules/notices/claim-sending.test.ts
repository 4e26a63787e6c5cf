import { overtaken } from '../../test/support/tables/mortal-table';
import { tableOfTests } from '../../test/support/tables/table';
import { claimSending, recordSent, releaseSending } from './claim-sending';
import { sentKey } from './rows';

const table = tableOfTests();
const now = new Date('2026-03-01T08:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
let serial = 0;
const next = () => sentKey('ada', `notice ${serial++}`, 'device');

test('of two deliveries that find the claim of one that died, one sends (R154)', async () => {
  const key = next();
  await claimSending(table, key, now);
  await expect(claimSending(table, key, later(59))).rejects.toMatchObject({ name: 'NotDelivered' });
  const other = overtaken(
    table,
    ({ input }) => 'Update' in (input.TransactItems?.[0] ?? {}),
    () => claimSending(table, key, later(60)),
  );
  await expect(claimSending(other, key, later(60))).rejects.toMatchObject({ name: 'NotDelivered' });
});

test('what was sent is not sent again, and what failed is claimed at once (R154)', async () => {
  const key = next();
  const first = (await claimSending(table, key, now))!;
  await releaseSending(table, first, now);
  const second = (await claimSending(table, key, now))!;
  // The first was slow, and is not the one that sends.
  await releaseSending(table, first, now);
  await expect(claimSending(table, key, now)).rejects.toMatchObject({ name: 'NotDelivered' });
  await recordSent(table, second);
  expect(await claimSending(table, key, later(600))).toBeUndefined();
});
