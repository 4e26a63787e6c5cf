import type { Api } from '../../../client/api';
import type { Act } from '../state/act';
import { type Device, thisDevice } from './device';
import { openWorker } from './worker';

/** The user's notifications. */
export interface Notices {
  device: Device;
  /** @throws RequestFailed, as does `change`. */
  settings: Api['noticeSettings'];
  change: Api['changeNoticeSettings'];
  /** Ends this browser's notifications before its user signs out. Does not fail, and does not take long. */
  leave(): Promise<void>;
}

const patienceMs = 3_000;

export function openNotices(api: Api, act: Act, user: string): Notices {
  const device = thisDevice(api, user, openWorker(act));
  return {
    device,
    settings: api.noticeSettings,
    change: api.changeNoticeSettings,
    leave: () =>
      Promise.race([
        device.turnOff().catch(() => undefined),
        new Promise<void>((resolve) => setTimeout(resolve, patienceMs)),
      ]),
  };
}
