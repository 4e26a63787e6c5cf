import type { NamedKind } from '../core/conversations/rows/kinds';
import { noticeRows } from './notices/rows';
import { scheduleRows } from './schedules/rows';

/** The kinds of rows that modules bring. Functions know those of all modules: what is stored is read, whatever the app lists today. */
export const kindsOfModules: readonly NamedKind[] = [...noticeRows, scheduleRows];
