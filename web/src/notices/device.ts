import type { Api } from 'vigil-client';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import type { Session } from '../network/session';

/**
 * Whether this browser gets the user's notifications. `unsupported`: it cannot. `blocked`: its user has forbidden it to the page.
 */
export type DeviceState = 'unsupported' | 'blocked' | 'off' | 'on';

/** This browser as one of the user's devices. */
export interface Device {
  state(): Promise<DeviceState>;
  /** Asks for the permission. @throws Error if the browser has no push service, RequestFailed if the API is not reached. */
  turnOn(): Promise<DeviceState>;
  turnOff(): Promise<void>;
}

/** Whose notifications this browser gets. A browser has one subscription, whoever is signed in. */
const place = 'vigil.notified';

/**
 * @param session whose next token confirms the device: one token alone grants it no longer than it lasts itself.
 * @param registered resolves with the service worker.
 */
export function thisDevice(
  api: Api,
  { user, renew }: Pick<Session, 'user' | 'renew'>,
  registered: Promise<ServiceWorkerRegistration | undefined>,
): Device {
  const isOurs = () => localStorage.getItem(place) === user;
  const subscription = async () => (await registered)?.pushManager?.getSubscription();

  async function state(): Promise<DeviceState> {
    if (!(await registered)?.pushManager || !('Notification' in window)) return 'unsupported';
    if (Notification.permission === 'denied') return 'blocked';
    return isOurs() && (await subscription()) ? 'on' : 'off';
  }

  async function register(): Promise<void> {
    const { pushManager } = (await registered)!;
    const { publicKey } = await api.devices();
    const options = { userVisibleOnly: true, applicationServerKey: publicKey };
    const subscribed = await pushManager.subscribe(options).catch(async () => {
      // It was made with another key of the deployment.
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(options);
    });
    const { endpoint, keys } = subscribed.toJSON();
    const device = {
      endpoint: endpoint!,
      keys: keys as { p256dh: string; auth: string },
      name: nameOf(navigator),
      language: locale(),
    };
    const { isConfirmed } = await api.addDevice(device);
    localStorage.setItem(place, user);
    // Without a next token now, that of the next visit confirms it.
    if (!isConfirmed) await renew().then(() => api.addDevice(device), ignored);
  }

  async function turnOff(): Promise<void> {
    const subscribed = await subscription();
    localStorage.removeItem(place);
    if (!subscribed) return;
    const id = await deviceIdOf(subscribed.endpoint);
    await subscribed.unsubscribe();
    await api.removeDevice(id);
  }

  // Subscriptions change without notice, so an open page registers again. Another user's end.
  void (async () => {
    const subscribed = await subscription();
    if (subscribed && !isOurs()) await subscribed.unsubscribe();
    else if (isOurs() && Notification.permission === 'granted') await register();
  })().catch(() => undefined);

  return {
    state,
    turnOff,
    async turnOn() {
      if ((await Notification.requestPermission()) === 'granted') await register();
      return state();
    },
  };
}

const ignored = () => undefined;

/** As the API derives it. */
async function deviceIdOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  // Base64 is ASCII.
  return base64.replaceAll('+', '-').replaceAll('/', '_').slice(0, 22);
}

const nameOf = ({ userAgent }: Navigator): string => {
  const browser = /(Edg|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1]?.replace('Edg', 'Edge') ?? t('Browser');
  const system = /(Android|iPhone|iPad|Windows|Mac OS|Linux)/.exec(userAgent)?.[1];
  return system ? `${browser}, ${system}` : browser;
};
