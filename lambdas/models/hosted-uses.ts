import type { HostedName, HostedUse, Reference } from '../../core/base/content/sources';
import { clip } from '../../core/base/text/clip';
import { urlIn } from '../../core/base/text/web-address';
import type { Reply } from '../../core/conversations/agent/model';

/** A hosted tool's call as a provider tells it, in any form. */
export interface ToldUse {
  tool: HostedName;
  input: unknown;
  status: HostedUse['status'];
  sources: ToldReference[];
}
export interface ToldReference {
  url?: unknown;
  title?: unknown;
}

const mostUses = 40;
const mostSources = 20;
const mostCitations = 40;
const inputCharacters = 2_000;
const titleCharacters = 200;
const urlCharacters = 1_000;
/** All of it, in the row of the reply, beside its text. */
const mostBytes = 30_000;

/**
 * Gives what providers tell of their tools, and the citations of a text, the one form that a row keeps and people read: bounded, with web
 * addresses only. Each tool that was used is named at least once.
 */
export function usesIn(told: readonly ToldUse[], cited: readonly ToldReference[]): Pick<Reply, 'hosted' | 'citations'> {
  let room = mostBytes;
  const takes = (value: object | string): boolean => {
    const bytes = Buffer.byteLength(JSON.stringify(value)) + 1;
    if (bytes > room) return false;
    room -= bytes;
    return true;
  };
  const isFirst = ({ tool }: ToldUse, index: number) => told.findIndex((one) => one.tool === tool) === index;
  const kept = told.filter((use, index) => index < mostUses || isFirst(use, index));
  const uses = kept.map(({ tool, input, status }): HostedUse => {
    const text = shownText(input, inputCharacters);
    return { tool, input: takes(text) ? text : '', status, sources: [] };
  });
  room -= Buffer.byteLength(JSON.stringify(uses.map((use) => ({ ...use, input: '' }))));
  const citations = referencesIn(cited, mostCitations).filter(takes);
  for (const [index, { sources }] of kept.entries())
    uses[index]!.sources = referencesIn(sources, mostSources).filter(takes);
  return { ...(uses.length > 0 && { hosted: uses }), ...(citations.length > 0 && { citations }) };
}

/** Returns each page and file once, with a title. */
function referencesIn(told: readonly ToldReference[], most: number): Reference[] {
  const found = new Map<string, Reference>();
  for (const { url: givenUrl, title: givenTitle } of told) {
    if (found.size >= most) break;
    const url = isWeb(givenUrl) ? givenUrl : undefined;
    const title = shownText(givenTitle, titleCharacters) || (url ? new URL(url).host : '');
    if (title && !found.has(url ?? title)) found.set(url ?? title, { title, ...(url && { url }) });
  }
  return [...found.values()];
}

/** Without user and password, which could look like a site. */
function isWeb(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > urlCharacters || !/^https?:\/\/\S+$/i.test(url)) return false;
  const parts = urlIn(url);
  return parts !== undefined && !parts.username && !parts.password;
}

/** Characters that are not visible, or that turn a text around; without the ends of lines. */
const hidden = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/gu;

const shownText = (given: unknown, characters: number): string =>
  typeof given === 'string' ? clip(given.replace(hidden, ' ').trim(), { characters }, '…') : '';
