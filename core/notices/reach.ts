import { createHash } from 'node:crypto';
import * as z from 'zod';
import { pause, readItem, type Table, write } from '../store/table';
import { ConversationBusy } from '../text/errors';
import { reachKey } from './notice';
import { defaultSettings, NoticeSettings } from './settings';

/** A browser's push subscription (https://www.w3.org/TR/push-api/). */
export const Device = z.object({
  /** Derived from the endpoint. */
  id: z.string(),
  endpoint: z.string(),
  /** The browser's public key and secret, in base64url, for which notifications are encrypted. */
  p256dh: z.string(),
  auth: z.string(),
  /** What its user calls it. */
  name: z.string().optional(),
  addedAt: z.iso.datetime(),
});
export type Device = z.infer<typeof Device>;

/** How a user can be reached: one row, which its `version` fences. */
const Reach = z.object({
  version: z.number().int().default(0),
  devices: z.array(Device).default([]),
  settings: NoticeSettings.default(defaultSettings),
  /** The address for e-mail, from the user's token. */
  address: z.string().optional(),
});
export type Reach = z.infer<typeof Reach>;

/** More devices than a person has. The one that was registered longest ago makes room. */
const mostDevices = 20;
const attempts = 25;

export const deviceIdOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('base64url').slice(0, 22);

export async function readReach(table: Table, user: string): Promise<Reach> {
  return Reach.parse((await readItem(table, reachKey(user))) ?? {});
}

/** Whether anything of the user's could receive a notice. */
export const isReachable = ({ devices, settings, address }: Reach): boolean =>
  devices.length > 0 || (settings.mail && address !== undefined);

/** Adds a device, or renews it. A browser registers each time that its page opens, because subscriptions change. */
export const addDevice = (table: Table, user: string, device: Device): Promise<Reach> =>
  change(table, user, (reach) => {
    const others = reach.devices.filter(({ id }) => id !== device.id);
    return { ...reach, devices: [...others, device].slice(-mostDevices) };
  });

/** Removes a device. Removing it twice changes nothing. */
export const removeDevice = (table: Table, user: string, deviceId: string): Promise<Reach> =>
  change(table, user, (reach) => {
    const devices = reach.devices.filter(({ id }) => id !== deviceId);
    return devices.length < reach.devices.length ? { ...reach, devices } : undefined;
  });

/** @param address of the user, if the settings ask for e-mail. */
export const writeNoticeSettings = (
  table: Table,
  user: string,
  settings: NoticeSettings,
  address?: string,
): Promise<Reach> => change(table, user, (reach) => ({ ...reach, settings, address }));

/** @param decide is called again if the row has changed meanwhile; undefined leaves it as it is. */
async function change(table: Table, user: string, decide: (reach: Reach) => Reach | undefined): Promise<Reach> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const reach = await readReach(table, user);
    const { version } = reach;
    const next = decide(reach);
    if (!next) return reach;
    const put = { ...next, version: version + 1 };
    if (await write(table, user, [{ ...reachKey(user), put, onlyIf: version === 0 ? 'absent' : { version } }]))
      return put;
    await pause(attempt);
  }
  throw new ConversationBusy('Your devices keep changing. Try again.');
}
