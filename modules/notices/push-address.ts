import { urlIn } from '../../core/base/text/web-address';
import { optionalVariable } from '../../runtime/environment';
import { refusalOf } from '../../runtime/outgoing/public-address';

/**
 * Origins that the deployment trusts besides those of the public internet: of its own push service, in a private network or on this
 * machine.
 */
export const trustedPushOrigins = (): string[] => (optionalVariable('VIGIL_PUSH_ORIGINS') ?? '').split(',');

/** Returns why notifications are not sent to this endpoint, which a client has chosen; undefined if they are. */
export function pushRefusal(endpoint: string, trusted = trustedPushOrigins()): string | undefined {
  const url = urlIn(endpoint);
  if (!url) return 'must be a full address';
  const { origin, protocol } = url;
  if (trusted.includes(origin)) return undefined;
  if (protocol !== 'https:') return 'must be an https address';
  return refusalOf(endpoint) && 'must be the address of a push service on the public internet';
}
