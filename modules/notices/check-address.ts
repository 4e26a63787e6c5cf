import { ConfigurationError } from '../../core/base/text/errors';

/** @throws ConfigurationError that calls the address by this name. */
export function checkAddress(address: string, name: string): void {
  if (address === '' || /^[^\s@<>*]+@[^\s@<>*]+$/.test(address)) return;
  throw new ConfigurationError(`${name} is "${address}": it must be an address such as vigil@example.com.`);
}
