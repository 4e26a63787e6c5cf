import { readWithOddFields } from '../../test/support/odd-fields';
import { tableOfTests } from '../../test/support/tables/table';
import { readReach } from './reach';
import { reachKey } from './rows';

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const device = { id: 'd', endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a', addedAt: now.toISOString() };

test('REACH: each field with odd values, and its reader answers (R266)', () =>
  readWithOddFields(table, { ...reachKey('ada'), version: 3, devices: [device] }, () => readReach(table, 'ada', now)));
