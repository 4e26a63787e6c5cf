import type { IntlMessageFormat } from 'intl-messageformat';
import { createElement, Fragment, type ReactNode } from 'react';
import { formatOf, type Value } from './catalogue';

/** A value of a message; a function draws the text inside the tag of its name. */
type Part = Value | ReactNode | ((text: ReactNode) => ReactNode);

/**
 * Returns a message of the catalogue with elements in it: as values, or around the text of a tag.
 *
 * @example rich('Sent by <b>{name}</b>', { name: 'Ada', b: (text) => <b>{text}</b> })
 */
export function rich(message: string, values: Readonly<Record<string, Part>>): ReactNode {
  const parts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (texts: ReactNode[]) => value(together(texts)) : value,
  ]);
  type Values = Parameters<IntlMessageFormat['format']>[0];
  return together([formatOf(message).format(Object.fromEntries(parts) as Values)].flat() as ReactNode[]);
}

/** Parts that stay in their places need no keys. */
const together = (parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
