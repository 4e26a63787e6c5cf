import { createHash } from 'node:crypto';
import * as z from 'zod';
import { WrongState } from '../../core/base/text/errors';
import { Locale } from '../../core/base/time/time-zone';
import {
  Grant,
  granted,
  isGranted,
  isLive,
  renewedWithinSeconds,
  type SignInToken,
} from '../../core/conversations/approvals/grant';
import { assertMayGrant, readGrantsEnded, type SignedIn } from '../../core/conversations/approvals/grants-ended';
import { isOfLaterVersion } from '../../core/conversations/rows/formats';
import { ifReadable, onlyReadable, parsedAs } from '../../core/conversations/rows/readable';
import { retryOnConflict } from '../../core/conversations/store/retry-on-conflict';
import { readItem, type Table, write } from '../../core/conversations/store/table';
import type { Notice } from './notice';
import { defaultSettings, NoticeSettings } from './notice-settings';
import { reachKey } from './rows';

/** A browser's push subscription (https://www.w3.org/TR/push-api/), and how long it gets notifications. */
export const Device = z
  .object({
    /** Derived from the endpoint. */
    id: z.string(),
    endpoint: z.string(),
    /** The browser's public key and secret, in base64url, for which notifications are encrypted. */
    p256dh: z.string(),
    auth: z.string(),
    /** The name that its user gives it. */
    name: z.string().optional(),
    /** The language of its page, as a BCP 47 tag. Without one, its notifications have the user's. */
    language: Locale.shape.language,
    addedAt: z.iso.datetime(),
    removedAt: z.iso.datetime().optional(),
    /** Absent in rows from before devices ended. Each of those was registered when its page was opened last. */
    grant: Grant.optional(),
  })
  .transform(({ grant, ...device }) => ({
    ...device,
    grant: grant ?? {
      token: '',
      confirmed: true as const,
      until: Math.floor(Date.parse(device.addedAt) / 1_000) + renewedWithinSeconds,
    },
  }));
export type Device = z.infer<typeof Device>;

const Devices = z
  .array(z.looseObject({}))
  .default([])
  .transform((devices) => onlyReadable(Device, devices));

/** The ways to reach a user: one row, which its `version` fences. */
export const Reach = z.object({
  version: z.number().int().default(0),
  devices: Devices,
  /**
   * Confirmed devices that were removed, until the token that removed them ends. They are told of grants and of nothing else, so that a
   * stolen token cannot first remove those who would be told.
   */
  removed: Devices,
  /** The address to which mail was turned off, likewise. `until` is in seconds since 1970. */
  removedAddress: z.object({ address: z.string(), until: z.number(), removedAt: z.iso.datetime() }).optional(),
  settings: NoticeSettings.default(defaultSettings),
  /** `settings.words` counts only while this is granted. Once it is confirmed, it lasts: words reach only devices that stand. */
  words: Grant.optional(),
  /** The address for e-mail, from the user's token. */
  address: z.string().optional(),
  /** The end of all grants that this row knows of (`readGrantsEnded`). A later one has ended all that it has. */
  endedAt: z.number().default(0),
});
export type Reach = z.infer<typeof Reach>;

/** More devices than a person has. */
export const mostDevices = 20;

export const deviceIdOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('base64url').slice(0, 22);

/** Returns what holds at a time: devices and words whose grant has ended are left out. */
export async function readReach(table: Table, user: string, now: Date): Promise<Reach> {
  const [row, endedAt] = await Promise.all([readItem(table, reachKey(user)), readGrantsEnded(table, user)]);
  return standing(reachIn(row), { now, endedAt });
}

const reachIn = (row: object | undefined): Reach => ifReadable(Reach, row) ?? Reach.parse({});

function standing(reach: Reach, { now, endedAt }: { now: Date; endedAt: number }): Reach {
  return heldAt(endedAt > reach.endedAt ? ended(reach) : reach, now);
}

/** Leaves out what works without a token. */
const ended = ({ version, removed, removedAddress, endedAt, settings }: Reach): Reach => ({
  version,
  devices: [],
  removed,
  removedAddress,
  endedAt,
  settings: { ...settings, words: false, mail: false },
});

function heldAt({ devices, removed, removedAddress, settings, words, ...reach }: Reach, now: Date): Reach {
  const quotes = settings.words && (words?.confirmed === true || isGranted(words, now));
  return {
    ...reach,
    devices: devices.filter(({ grant }) => isGranted(grant, now)),
    removed: removed.filter(({ grant }) => isGranted(grant, now)),
    removedAddress: removedAddress && isLive(removedAddress, now) ? removedAddress : undefined,
    settings: { ...settings, words: quotes },
    words: quotes ? words : undefined,
  };
}

/** Whether anything of the user's could receive a notice. */
export const isReachable = ({ devices, settings, address }: Reach): boolean =>
  devices.length > 0 || (settings.mail && address !== undefined);

/** Returns where a notice goes: one of a grant to what was removed lately, too, and not to the device that it is about. */
export function reachFor(reach: Reach, { kind, deviceId, devicesBefore }: Notice): Reach {
  if (kind !== 'grant') return reach;
  const { removedAddress, settings } = reach;
  return {
    ...reach,
    devices: [...reach.devices, ...reach.removed].filter(
      ({ id }) => id !== deviceId && (devicesBefore?.includes(id) ?? true),
    ),
    ...(!settings.mail && removedAddress && { settings: { ...settings, mail: true }, address: removedAddress.address }),
  };
}

export type NewDevice = Omit<Device, 'grant' | 'removedAt'>;

/**
 * Adds a device, confirms or renews it. A browser registers each time that its page opens, because subscriptions change.
 *
 * @throws WrongState if the user has too many, or has ended what this token could grant. No other device makes room.
 */
export async function addDevice(
  table: Table,
  user: string,
  device: NewDevice,
  { token, now }: SignedIn,
): Promise<Device> {
  const decide = (reach: Reach): Reach => {
    const before = reach.devices.find(({ id }) => id === device.id);
    const others = reach.devices.filter((one) => one !== before);
    if (others.length >= mostDevices)
      throw new WrongState(`You have ${others.length} of ${mostDevices} devices. Remove one, and register again.`, {
        kind: 'too-many-devices',
        values: { most: mostDevices },
      });
    const devices = [...others, { ...device, grant: granted(before?.grant, token, now) }];
    return { ...reach, devices, removed: reach.removed.filter(({ id }) => id !== device.id) };
  };
  const { devices } = await change(table, user, { now, grants: token }, decide);
  return devices.find(({ id }) => id === device.id)!;
}

/** Removes a device. Removing it twice changes nothing. */
export const removeDevice = (table: Table, user: string, deviceId: string, by: SignedIn): Promise<Reach> =>
  change(table, user, { now: by.now }, (reach) => {
    const devices = reach.devices.filter(({ id }) => id !== deviceId);
    if (devices.length === reach.devices.length) return undefined;
    return { ...reach, devices, removed: removedWith(reach, (id) => id === deviceId, by) };
  });

/** Forgets a device that its push service no longer knows. */
export const forgetDevice = (table: Table, user: string, deviceId: string, now: Date): Promise<Reach> =>
  change(table, user, { now }, (reach) => {
    const isOther = ({ id }: Device) => id !== deviceId;
    return { ...reach, devices: reach.devices.filter(isOther), removed: reach.removed.filter(isOther) };
  });

/**
 * Tells devices and the address for e-mail that they have ended, and forgets them. `endGrants` comes first: it has ended them, also for an app that
 * leaves notifications out at that time.
 */
export const endReach = (table: Table, user: string, by: SignedIn): Promise<Reach> =>
  change(table, user, { now: by.now, isEnd: true }, (reach) => ({
    ...ended(reach),
    removed: removedWith(reach, () => true, by),
    removedAddress: addressRemovedFrom(reach, by),
  }));

const addressRemovedFrom = ({ settings, address, removedAddress }: Reach, { token, now }: SignedIn) =>
  settings.mail && address !== undefined
    ? { address, until: token.until, removedAt: now.toISOString() }
    : removedAddress;

/** A device that nobody has confirmed may be a thief's: it is told nothing, and takes no place here. */
function removedWith(
  { devices, removed }: Reach,
  isChosen: (id: string) => boolean,
  { token, now }: SignedIn,
): Device[] {
  const more = devices.filter(({ id, grant }) => grant.confirmed && isChosen(id));
  const removedAt = now.toISOString();
  const leaving = more.map(({ grant, ...one }) => ({ ...one, removedAt, grant: { ...grant, until: token.until } }));
  return [...removed, ...leaving].slice(0, mostDevices);
}

/**
 * Stores what the user wants to hear of.
 *
 * @param address of the user, if the settings ask for e-mail.
 * @throws WrongState if the user has ended what this token could grant.
 */
export const writeNoticeSettings = (
  table: Table,
  user: string,
  { settings, address }: { settings: NoticeSettings; address?: string },
  { token, now }: SignedIn,
): Promise<Reach> =>
  change(table, user, { now, grants: settings.words || settings.mail ? token : undefined }, (reach) => {
    const words = settings.words ? granted(reach.words, token, now) : undefined;
    const removedAddress = settings.mail ? undefined : addressRemovedFrom(reach, { token, now });
    return { ...reach, settings, address, removedAddress, words };
  });

interface Changing {
  now: Date;
  /** The token that grants something. */
  grants?: SignInToken;
  /** Whether the change ends all that the row has: it gets what ended with all grants, too, to tell it. */
  isEnd?: boolean;
}

/**
 * @param decide is called again if the row has changed meanwhile; undefined leaves it as it is.
 * @throws WrongState if the user has ended what this token could grant.
 * @throws UnreadableRow if something is to be granted beside what cannot be read.
 */
const change = (
  table: Table,
  user: string,
  { now, grants, isEnd = false }: Changing,
  decide: (reach: Reach) => Reach | undefined,
): Promise<Reach> =>
  retryOnConflict('Your devices keep changing.', async () => {
    const row = await readItem(table, reachKey(user));
    // After the row. If all grants end after this, what is written here knows of an earlier end, and counts for nothing.
    const endedAt = await readGrantsEnded(table, user);
    if (grants) assertMayGrant(endedAt, grants);
    const isKept = row && (grants || isOfLaterVersion(row as Record<string, unknown>));
    const stored = isKept ? parsedAs(Reach, row) : reachIn(row);
    const reach = isEnd ? heldAt(stored, now) : standing(stored, { now, endedAt });
    const { version } = reach;
    const next = decide(reach);
    if (!next) return reach;
    const put = { ...next, endedAt, version: version + 1 };
    // A version that cannot be read fences nothing.
    const onlyIf = row ? (version > 0 ? { version } : undefined) : 'absent';
    return (await write(table, user, [{ ...reachKey(user), put, onlyIf }])) ? put : undefined;
  });
