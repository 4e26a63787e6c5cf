import type { Api } from 'vigil-client';
import type { Session } from '../network/session';
import type { Act } from '../state/act';
import { type Device, thisDevice } from './device';
import { openWorker } from './worker';

/** The user's notifications. */
export interface Notices {
  device: Device;
  /** @throws RequestFailed, as does `change`. */
  settings: Api['noticeSettings'];
  change: Api['changeNoticeSettings'];
  devices: Api['devices'];
  /** Ends a device's notifications. */
  remove: Api['removeDevice'];
  /** Ends all devices, words and e-mail, for all sign-ins until now. */
  end(): Promise<void>;
  /** Ends this browser's notifications before its user signs out. Does not fail, and does not take long. */
  leave(): Promise<void>;
}

const patienceMs = 3_000;
const ignored = () => undefined;

export function openNotices(api: Api, act: Act, session: Pick<Session, 'user' | 'renew'>): Notices {
  const device = thisDevice(api, session, openWorker(act));
  let quotes = false;
  return {
    device,
    devices: api.devices,
    remove: api.removeDevice,
    async end() {
      await device.turnOff().catch(() => undefined);
      await api.endDevices();
    },
    async settings() {
      const settings = await api.noticeSettings();
      quotes = settings.words;
      return settings;
    },
    async change(settings) {
      const begins = settings.words && !quotes;
      await api.changeNoticeSettings(settings);
      quotes = settings.words;
      // What one token has turned on ends with it. The next one confirms it.
      if (begins) await session.renew().then(() => api.changeNoticeSettings(settings), ignored);
    },
    leave: () =>
      Promise.race([
        device.turnOff().catch(() => undefined),
        new Promise<void>((resolve) => setTimeout(resolve, patienceMs)),
      ]),
  };
}
