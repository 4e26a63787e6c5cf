import type { WaitingApproval } from 'vigil-client';
import type { HomeState } from './home-rows';

/** What can be shown alone: a part of the home, or one kind of what is in it. */
export const shown = [
  ...(['needsYou', 'upcoming', 'running', 'failed'] satisfies HomeState[]),
  ...(['approvals', 'questions', 'takeovers', 'reminders', 'snoozed'] as const),
] as const;

/** What the home shows. It is in the address, so that it can be linked and outlasts a reload. */
export interface HomeFilter {
  show?: (typeof shown)[number];
  whose?: 'mine' | 'others';
  agent?: string;
}

const home = /^#?\/?(?:\?(.*))?$/;

/** Returns the filter in an address. Undefined if it is not that of the home; what it does not know is left out. */
export function filterIn(hash: string): HomeFilter | undefined {
  const match = home.exec(hash);
  if (!match) return undefined;
  const query = new URLSearchParams(match[1]);
  const show = shown.find((one) => one === query.get('show'));
  const whose = (['mine', 'others'] as const).find((one) => one === query.get('whose'));
  const agent = query.get('agent');
  return { ...(show && { show }), ...(whose && { whose }), ...(agent && { agent }) };
}

export function filterAddress(filter: HomeFilter): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== undefined)).toString();
  return query ? `#/?${query}` : '#/';
}

/** The part of the home in which something is shown. */
export function partOf(show: NonNullable<HomeFilter['show']>): HomeState {
  switch (show) {
    case 'approvals':
    case 'questions':
    case 'takeovers':
    case 'snoozed':
      return 'needsYou';
    case 'reminders':
      return 'upcoming';
    default:
      return show;
  }
}

const kinds = { approvals: 'approval', questions: 'question', takeovers: 'person' } as const;

/** Whether the filter leaves something that waits for the user on the screen. */
export function passes(one: WaitingApproval, { show, whose }: HomeFilter, user: string): boolean {
  if (whose && (one.owner === user) !== (whose === 'mine')) return false;
  const kind = kinds[show as keyof typeof kinds];
  return kind === undefined || one.callback.kind === kind;
}
