import type { Agent } from '../../core/conversations/agent/agent';
import type { FunctionTool } from '../../core/conversations/agent/tool';
import { type Settings, switchFrom } from '../settings';
import type { ApiKey } from './api-key';
import type { VigilFunction } from './vigil-function';

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
