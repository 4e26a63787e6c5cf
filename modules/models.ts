import type { ModelModule } from '../lambdas/models/module';
import { inModel as anthropic } from './anthropic/model';
import { inModel as bedrock } from './bedrock/model';
import { inModel as openai } from './openai/model';

/** What CallModel has of the modules of this deployment. The bundler replaces this list with those whose providers its agents use. */
export const modules: readonly ModelModule[] = [anthropic, bedrock, openai];
