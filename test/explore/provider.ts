import type { Usage } from '../../core/base/state/schemas';
import { noUsage } from '../../core/base/state/schemas';
import { ModelUnavailable, ReplyPending } from '../../core/base/text/errors';
import type { Background, Reply } from '../../core/conversations/agent/model';
import { replyIsOver } from '../../core/conversations/replies/pending-reply';
import type { Table } from '../../core/conversations/store/table';
import type { Row } from './memory-table';
import type { Broken } from './promises';
import type { Invocation, World } from './world';

interface Begun {
  reply: Reply;
  readyAt: number;
  fails: boolean;
  cancelled?: true;
}

/** A provider that makes its replies in the background: some take hours, some fail, some are forgotten. */
export class Provider {
  private readonly replies = new Map<string, Begun>();
  /** Where a webhook is delivered. */
  onWebhook: (deliver: (table: Table) => ReturnType<typeof replyIsOver>) => Promise<unknown> = async () => undefined;

  constructor(private readonly world: World) {}

  /** @throws ReplyPending, ModelUnavailable. */
  async reply(background: Background, invocation: Invocation, make: () => Reply): Promise<Reply & { usage: Usage }> {
    const { world } = this;
    const id = background.id ?? (await this.begin(invocation, make));
    if (background.id === undefined) await background.begun({ provider: 'provider', id });
    const fetched = await world.request(
      'the provider is asked for its reply',
      invocation,
      ['dies-before', 'dies-after', 'zombie'],
      () => {
        const found = this.replies.get(id);
        if (!found) throw new ModelUnavailable('The provider no longer has the reply.');
        if (found.cancelled) throw new ModelUnavailable('The reply is cancelled.');
        if (world.time < found.readyAt || world.mayFail(0.1))
          throw new ReplyPending('The provider still makes the reply.');
        if (found.fails) throw new ModelUnavailable('The provider failed.');
        world.count('replies in the background');
        return { ...found.reply, usage: { ...noUsage, modelCalls: 1, inputTokens: 10 } };
      },
    );
    return fetched as Reply & { usage: Usage };
  }

  private async begin(invocation: Invocation, make: () => Reply): Promise<string> {
    const { world } = this;
    const { random } = world;
    const begun = await world.request(
      'the provider begins a reply',
      invocation,
      ['dies-before', 'dies-after', 'zombie'],
      () => {
        const id = `reply${this.replies.size}`;
        const seconds = random.pick([0, 8, 60, 600, 1_800]);
        this.replies.set(id, { reply: make(), readyAt: world.time + seconds * 1_000, fails: world.mayFail(0.1) });
        if (random.chance(0.6)) world.begin(() => this.tell(id));
        return id;
      },
    );
    return begun as string;
  }

  /** Sends a webhook, perhaps twice, and again while nobody knows the reply. */
  private async tell(id: string): Promise<void> {
    const { world } = this;
    await world.sleep(this.replies.get(id)!.readyAt);
    for (let attempt = 0; attempt < 4; attempt++) {
      const over = await this.onWebhook((table) => replyIsOver(table, 'provider', id, new Date(world.time)));
      if (over) return;
      await world.sleepBeforeRepeat(5_000);
    }
  }

  async cancel(id: string, invocation: Invocation): Promise<Usage> {
    await this.world.request(
      'the provider is told to stop',
      invocation,
      ['dies-before', 'dies-after', 'zombie'],
      () => {
        this.replies.get(id)!.cancelled = true;
        this.world.count('replies cancelled');
      },
    );
    return { ...noUsage, modelCalls: 1, inputTokens: 10 };
  }

  /** Nobody waits for a reply any more, and what is not wanted was cancelled and counted. */
  broken(rows: Row[], isWhole: boolean): Broken[] {
    const callbacks = rows.filter(({ sk, kind }) => sk.startsWith('CALLBACK#') && kind === 'model');
    return callbacks.flatMap(({ pk, sk, status, counted, reply }) => {
      const { id } = reply as { id: string };
      const meta = rows.find((row) => row.pk === pk && row.sk === 'META');
      // A retry of the run fetches it.
      if (status === 'pending' && meta?.status === 'failed') return [];
      if (status === 'pending') return [`${sk} still waits for its reply.`];
      if (status !== 'cancelled' || !isWhole) return [];
      if (!this.replies.get(id)?.cancelled) return [`${sk} is cancelled, and its provider was not told.`];
      return counted ? [] : [`${sk} is cancelled, and its usage is not counted.`];
    });
  }
}
