import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Agent } from '../../core/conversations/agent/agent';
import type { FunctionTool } from '../../core/conversations/agent/tool';
import type { Undelivered } from '../machines/undelivered';
import { type Settings, switchFrom } from '../settings';
import type { ApiKey } from './api-key';
import { type ConversationTable, partition } from './conversation-table';
import { VigilFunction } from './vigil-function';

/**
 * The embeddings for memory search: from the server at EMBEDDING_BASE_URL if that is set, which gets no key, otherwise from the models'
 * server.
 */
export class Embeddings {
  constructor(
    private readonly settings: Settings,
    private readonly modelKey: ApiKey,
  ) {}

  /** The prices that differ from the published ones. */
  get prices(): Record<string, string> {
    return { VIGIL_PRICES: this.settings.given('VIGIL_PRICES') };
  }

  /**
   * Whether messages are embedded. By default, they are where agents have a memory: what users say then reaches the server of the embeddings
   * in any case.
   */
  ofMessages(tools: readonly FunctionTool[], agents: Iterable<Agent>): boolean {
    const set = switchFrom('VIGIL_EMBED_MESSAGES', this.settings.given('VIGIL_EMBED_MESSAGES'));
    if (set || this.settings.given('VIGIL_EMBEDDING_MODEL') === 'none') return set === 'on';
    return tools.some(({ needs }) => needs?.embeddings) || [...agents].some(({ recall }) => recall);
  }

  /** Gives a function the variables and the right that it needs to request embeddings. */
  reach(fn: VigilFunction): void {
    for (const name of ['VIGIL_EMBEDDING_MODEL', 'EMBEDDING_BASE_URL', 'OPENAI_BASE_URL'])
      fn.addEnvironment(name, this.settings.given(name));
    if (this.settings.given('EMBEDDING_BASE_URL') !== '') return;
    fn.addEnvironment('EMBEDDING_KEY_SECRET_ARN', this.modelKey.arn);
    this.modelKey.grantRead(fn);
  }
}

export interface EmbedProps {
  bundles: string;
  table: ConversationTable;
  embeddings: Embeddings;
  undelivered: Undelivered;
  /** The functions that have messages embedded, or find them. */
  asking: readonly VigilFunction[];
}

/** Creates the function that embeds messages. It alone has the key of the embeddings' server, besides CallModel and tools. */
export function deployEmbed(
  scope: Construct,
  { bundles, table, embeddings, undelivered, asking }: EmbedProps,
): VigilFunction {
  const embed = new VigilFunction(scope, 'Embed', {
    description: 'Embeds what is said, and finds it by meaning',
    bundles,
    timeoutSeconds: 120,
    environment: { TABLE_NAME: table.name, STACK_NAME: Stack.of(scope).stackName, ...embeddings.prices },
  });
  embeddings.reach(embed);
  embed.configureAsyncInvoke({ onFailure: undelivered.of(embed) });
  table.grant(embed, [partition.conversations], 'GetItem', 'Query');
  table.grant(embed, [partition.said], 'GetItem', 'Query', 'PutItem');
  table.grant(embed, [partition.counts], 'UpdateItem');
  for (const one of asking) {
    one.addEnvironment('VIGIL_EMBED_MESSAGES', 'on');
    one.addEnvironment('EMBED_ARN', embed.functionArn);
    one.allow([embed.functionArn], 'lambda:InvokeFunction');
  }
  return embed;
}
