import { type Headers, loopbackName } from '../stepfunctions/from-program';

/** Whether a request comes from a program, from the page of the same address, or from the address bar. */
export function isFromOwnPage({ headers }: Headers): boolean {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers;
  if (!loopbackName.test(host)) return false;
  return (origin === undefined || origin === `http://${host}`) && (site === 'same-origin' || site === 'none');
}
