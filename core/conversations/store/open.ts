import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { InvalidInput } from '../../base/text/errors';
import { openIndex } from '../rows/open-lists';
import type { Table } from './table';

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
