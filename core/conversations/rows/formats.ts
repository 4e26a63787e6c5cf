import { NewerRow } from '../../base/text/errors';
import { withIdsOfKey } from './keys';
import { kindOf } from './kinds';

/**
 * A kind of rows has a format, a number that its row has as `format`; without it, 1. A field that is new is optional, and changes no
 * format. What could be misread otherwise is a new format: `kinds.ts` then has an upgrade, which rows of earlier formats go through
 * whenever they are read. They are stored in the new format when all of their fields are written.
 */

type Row = Record<string, unknown>;

const firstFormat = 1;

/** Returns the format in which this code writes a row; undefined for the first one, and for a tool's own. */
export function formatOf(pk: string, sk: string): number | undefined {
  const upgrades = kindOf(pk, sk)?.upgrades ?? [];
  return upgrades.length > 0 ? firstFormat + upgrades.length : undefined;
}

/** Whether a later version of Vigil has written a row. What is no format is of no version that is known. */
export function isOfLaterVersion({ pk, sk, format }: Row): boolean {
  if (format === undefined || typeof pk !== 'string' || typeof sk !== 'string' || !kindOf(pk, sk)) return false;
  const isKnown = Number.isInteger(format) && (format as number) >= firstFormat;
  return !isKnown || (format as number) > (formatOf(pk, sk) ?? firstFormat);
}

export const newerRow = ({ pk, sk, format }: Row): NewerRow =>
  new NewerRow(String(sk), format, formatOf(String(pk), String(sk)) ?? firstFormat);

/** Returns a row in the format of this code, with the ids that its key has. One of a later version stays as it is, and cannot be read. */
export function inThisFormat(row: Row): Row {
  const { pk, sk, format = firstFormat } = row;
  if (isOfLaterVersion(row)) return row;
  const { upgrades = [] } = kindOf(String(pk), String(sk)) ?? {};
  return upgrades.slice((format as number) - firstFormat).reduce((older, upgrade) => upgrade(older), withIdsOfKey(row));
}
