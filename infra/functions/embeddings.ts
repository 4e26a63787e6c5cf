import type { Construct } from 'constructs';
import type { Agent } from '../../core/conversations/agent/agent';
import type { FunctionTool } from '../../core/conversations/agent/tool';
import { type Settings, switchFrom } from '../settings';
import { ApiKey } from './api-key';
import type { VigilFunction } from './vigil-function';

/**
 * The embeddings for memory search: from the server at EMBEDDING_BASE_URL if that is set, otherwise from the models'
 * server.
 */
export class Embeddings {
  readonly key: ApiKey;

  constructor(
    scope: Construct,
    private readonly settings: Settings,
    modelKey: ApiKey,
  ) {
    const hasServer = settings.given('EMBEDDING_BASE_URL') !== '';
    const own = { variable: 'EMBEDDING_API_KEY', of: 'The API key of the embeddings' };
    this.key = hasServer ? new ApiKey(scope, own.variable, own) : modelKey;
  }

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
    fn.addEnvironment('EMBEDDING_KEY_SECRET_ARN', this.key.arn);
    this.key.grantRead(fn);
  }
}
