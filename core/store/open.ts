import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { InvalidInput } from '../text/errors';
import type { Table } from './table';

/** The index of `openFor` and `openSince`. */
export const openIndex = 'byDecider';

/**
 * What is open: callbacks that a run waits for, timers that are still to fire, and conversations whose run is not over or can be
 * retried. Such a row has `openFor`, which names its list, and `openSince`, its place there. A callback's list is its decider.
 *
 * The index `byDecider` holds these rows and no others. It has all the lists, because an update of a stack can add one index only.
 */
export const openList = {
  timers: (user: string) => `timers:${user}`,
  /** Conversations whose run is not over. */
  active: (user: string) => `active:${user}`,
  /** Conversations whose run failed or reached a limit. */
  failed: (user: string) => `failed:${user}`,
  /** What no list shows, and Reconcile finds: timers that expire webhooks, and deleted conversations that are rolled back. */
  unseen: (user: string) => `unseen:${user}`,
};

/** The attributes of a row that is in a list. */
export const openIn = (list: string, at: string, id: string) => ({ openFor: list, openSince: `${at} ${id}` });

/** A place in a list. The index may lag behind, so its row may be open no more. */
export interface OpenEntry {
  pk: string;
  sk: string;
  openSince: string;
}

interface Part {
  /** The place after which to begin. */
  after?: string;
  latestFirst?: boolean;
  limit: number;
}

export async function readOpen<Entry extends OpenEntry = OpenEntry>(
  { client, name }: Table,
  list: string,
  { after, latestFirst = false, limit }: Part,
): Promise<Entry[]> {
  const query = new QueryCommand({
    TableName: name,
    IndexName: openIndex,
    KeyConditionExpression: `openFor = :list${after === undefined ? '' : ` AND openSince ${latestFirst ? '<' : '>'} :after`}`,
    ExpressionAttributeValues: { ':list': list, ...(after !== undefined && { ':after': after }) },
    ScanIndexForward: !latestFirst,
    Limit: limit,
  });
  return ((await client.send(query)).Items ?? []) as Entry[];
}

/** Returns the cursor of the page after this entry. */
export const cursorAfter = ({ openSince }: OpenEntry): string => Buffer.from(openSince).toString('base64url');

/** Returns the place that a cursor names. The list comes from the token, so a forged cursor cannot show another user's rows. */
export function placeIn(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString();
  if (/^[\d-]{10}T[\d:.]{8,12}Z [\w.-]{1,120}$/.test(place)) return place;
  throw new InvalidInput('cursor', 'use the cursor of the previous page');
}
