import type { Row } from './memory-table';
import type { Broken } from './promises';

/** The titles of conversations, of models and of their user. */
export class Titles {
  /** Conversations for which a model was asked. */
  private readonly asked: string[] = [];
  /** What the user has asked for, by conversation. What was answered with an error may have been stored. */
  private readonly wished = new Map<string, string[]>();
  /** Conversations that have a title of their user. */
  private readonly named = new Set<string>();
  private reserved = 0;
  private failed = 0;

  /** A model is asked for a title. */
  ask(conversationId: string): void {
    this.asked.push(conversationId);
  }

  /** The model has not answered. */
  fail(): void {
    this.failed += 1;
  }

  /** The user asks for a title. */
  wish(conversationId: string, title: string): void {
    this.wished.set(conversationId, [...(this.wished.get(conversationId) ?? []), title]);
  }

  /** The user was told that a title is stored. */
  keep(conversationId: string): void {
    this.named.add(conversationId);
  }

  /** Takes note of what is written. */
  note(row: Row, before: Row | undefined): void {
    if (row.sk === 'META' && before && !before.forking && row.titledBy === 'model' && before.titledBy !== 'model')
      this.reserved += 1;
  }

  /** Returns how many steps titles are counted as. What a failed one had reserved is free again, unless its process died. */
  steps(): { least: number; most: number } {
    return { least: this.reserved - this.failed, most: this.reserved };
  }

  /** A title is paid for once, and one that the user has given holds. */
  broken(metas: readonly Row[]): Broken[] {
    const twice = new Set(this.asked.filter((id, at) => this.asked.indexOf(id) < at));
    return [
      ...[...twice].map((id) => `A title of ${id} was paid for more than once.`),
      ...[...this.named].flatMap((id) => {
        const wished = this.wished.get(id)!;
        const title = metas.find(({ conversationId }) => conversationId === id)?.title as string | undefined;
        if (!title || wished.includes(title)) return [];
        return [`The user has called ${id} "${wished.at(-1)}", and it is "${title}".`];
      }),
    ];
  }
}
