import type { Agent } from '../../core/conversations/agent/agent';
import { type Appended, type SentMessage, sendMessage } from '../../core/conversations/conversation/send-message';
import { userOf } from '../../core/conversations/members/role';
import type { Table } from '../../core/conversations/store/table';
import type { Broken } from './promises';
import type { World } from './world';

type Api = (
  name: string,
  work: (table: Table, agents: ReadonlyMap<string, Agent>, now: Date) => Promise<unknown>,
) => Promise<boolean>;
/** A message with the id that its client gives it. */
export type Named = Omit<SentMessage, 'clientMessageId'> & { clientMessageId: string };

/** A person's id of a message: what was sent under it, and what the API has said that it is. */
interface Id {
  sent: Set<string>;
  stored?: { seq: number; text: string };
}

/**
 * Clients that give a message the id that another client has used: that of another person, or another device of the same. Some repeat a request
 * when much has changed since then. What the API answers is held against what it has answered before.
 */
export class Clients {
  readonly broken: Broken[] = [];
  private readonly ids = new Map<string, Id>();

  constructor(
    private readonly world: World,
    private readonly api: Api,
    /** Told of each message of which the API has said that it is stored. */
    private readonly accepted: (conversationId: string, text: string) => void,
  ) {}

  /** All begin at once, or one after the other. Each repeats its request now and then. */
  async sendAll(conversationId: string, messages: readonly Named[]): Promise<void> {
    const { random } = this.world;
    for (const message of messages)
      this.world.begin(async () => {
        for (let left = 1 + random.below(3); left > 0; left--) {
          await this.world.sleep(this.world.time + random.below(random.pick([1, 2_000, 60_000, 7_200_000])));
          await this.send(conversationId, message);
        }
      });
  }

  private async send(conversationId: string, message: Named): Promise<void> {
    const { user, text, clientMessageId } = message;
    const by = userOf(user);
    const name = `${conversationId} ${by} ${clientMessageId}`;
    const id = this.ids.get(name) ?? { sent: new Set<string>() };
    this.ids.set(name, id);
    id.sent.add(text);
    const before = id.stored;
    let stored: Appended['message'] | undefined;
    let refusal: Error | undefined;
    const isAnswered = await this.api('send by a client', async (table, agents, now) => {
      const answer = await sendMessage(table, agents, conversationId, message, now).catch((error: Error) => {
        refusal = error;
        throw error;
      });
      stored = answer.message;
    });
    if (isAnswered && stored) this.take(conversationId, { by, text, id }, stored);
    else if (refusal) this.holdRefusal(`${by} in ${conversationId}`, { text, id, before }, refusal);
  }

  private take(
    conversationId: string,
    { by, text, id }: { by: string; text: string; id: Id },
    { seq, text: words, author }: Appended['message'],
  ): void {
    const say = (what: string) => this.broken.push(`${by} has sent "${text}" to ${conversationId}, ${what}`);
    if (words !== text) say(`and was told that "${words}" is stored.`);
    else if (author !== by) say(`and was told of a message of ${author}.`);
    else if (id.stored && id.stored.seq !== seq) say(`and was told of two messages: ${id.stored.seq} and ${seq}.`);
    else {
      if (id.stored) this.world.count('a repeated request is answered');
      else this.accepted(conversationId, text);
      id.stored = { seq, text };
    }
  }

  private holdRefusal(
    who: string,
    { text, id, before }: { text: string; id: Id; before: Id['stored'] },
    { name, message }: Error,
  ): void {
    const isOfId = name === 'WrongState' && message.includes('clientMessageId');
    if (isOfId) this.world.count('a used id is refused');
    if (isOfId && id.sent.size === 1) this.broken.push(`${who} may not use an id that only others have used.`);
    const isRefusal = ['WrongState', 'AlreadyAnswered', 'InvalidInput', 'LimitReached'].includes(name);
    if (isRefusal && before?.text === text) this.broken.push(`${who} repeats "${text}", which is stored: ${message}`);
  }
}
