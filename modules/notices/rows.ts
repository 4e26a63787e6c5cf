import * as z from 'zod';
import { key } from '../../core/conversations/rows/keys';
import type { NamedKind } from '../../core/conversations/rows/kinds';

/** The sort key of what a user is reached by. */
export const reachSk = 'REACH';
const sent = 'SENT#';

/** The rows of a user that notices need, in the user's own partition. */
export const reachKey = (user: string) => ({ pk: key.user(user), sk: reachSk });
export const sentKey = (user: string, noticeId: string, deviceId: string) => ({
  pk: key.user(user),
  sk: `${sent}${noticeId}#${deviceId}`,
});

const partition = key.user('');

export const noticeRows: NamedKind[] = [
  {
    partition,
    name: 'reach',
    prefix: reachSk,
    about: 'the user’s devices, address and settings for notifications',
    // What reads it, `reach.ts`, checks what it writes.
    schema: z.looseObject({ version: z.number().int() }),
    words: true,
    expires: 'never',
  },
  {
    partition,
    name: 'device',
    prefix: sent,
    about: 'a notification that was sent to a device, so that it is sent once',
    schema: z.looseObject({}),
    words: false,
    expires: 'by itself',
  },
];
