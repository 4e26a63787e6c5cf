import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Row } from './memory-table';
import type { World } from './world';

/** What somebody is asked. What becomes of such a row that cannot be read is promised: its run can be cancelled, deleted and rolled back. */
const asked = ['approval', 'question'];

/** Damage of rows: no code of the product writes what it could not read. */
export class Damage {
  private readonly spoilt = new Set<string>();

  constructor(private readonly world: World) {}

  /** Spoils one of the open callbacks of a conversation, if there is one. */
  spoil(conversationId: string): void {
    const { table, random } = this.world;
    const open = table.rows().filter(({ pk, sk, status, kind, copiedFrom }) => {
      const isOpen = pk === `C#${conversationId}` && sk.startsWith('CALLBACK#') && status === 'pending' && !copiedFrom;
      return isOpen && asked.includes(String(kind));
    });
    if (open.length === 0) return;
    const row = random.pick(open);
    this.spoilt.add(`${row.pk} ${row.sk}`);
    this.world.count('rows that cannot be read');
    const put = new PutCommand({ TableName: 'conversations', Item: { ...row, prompt: 7 } });
    table.perform(put as never, false);
  }

  /** Nothing is promised of the row itself: it stays as it is. */
  isSpoilt = ({ pk, sk }: Row): boolean => this.spoilt.has(`${pk} ${sk}`);
}
