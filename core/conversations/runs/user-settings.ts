import { Locale } from '../../base/time/time-zone';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { ifReadable } from '../rows/readable';
import { readItem, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

/** Returns a user's time zone and language: those of their last message, or what an API client has set since. */
export async function readSettings(table: Table, user: string): Promise<Locale> {
  return ifReadable(Locale, await readItem(table, { pk: key.user(user), sk: key.settings })) ?? {};
}

/** Replaces them. The last write counts. */
export async function writeSettings(table: Table, user: string, settings: Locale): Promise<void> {
  await write(table, user, [settingsRow(user, settings)]);
}

/** Returns META with the place that a message comes from, and the user's settings if that is a new one. */
export function movedTo(meta: Meta, { timeZone = meta.timeZone, language = meta.language }: Locale) {
  const isSame = timeZone === meta.timeZone && language === meta.language;
  const rows = isSame ? [] : [settingsRow(meta.owner, { timeZone, language })];
  return { meta: isSame ? meta : { ...meta, timeZone, language }, rows };
}

const settingsRow = (user: string, put: Locale): RowWrite => ({ pk: key.user(user), sk: key.settings, put });
