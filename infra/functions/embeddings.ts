import type { Construct } from 'constructs';
import type { Settings } from '../settings';
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

  /** Gives a function the variables and the right that it needs to request embeddings. */
  reach(fn: VigilFunction): void {
    for (const name of ['VIGIL_EMBEDDING_MODEL', 'EMBEDDING_BASE_URL', 'OPENAI_BASE_URL'])
      fn.addEnvironment(name, this.settings.given(name));
    fn.addEnvironment('EMBEDDING_KEY_SECRET_ARN', this.key.arn);
    this.key.grantRead(fn);
  }
}
