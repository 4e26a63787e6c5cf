import type { EndsGrants } from '../../core/people/views/authority';
import type { App, Deployment } from './deployment';
import type { NamedSchemas } from './named-schemas';

/** What Api loads of a module (`core/module.ts`): the file `api.ts` of its folder exports it as `inApi`. */
export interface ApiModule {
  name: string;
  /** The paths that need a token of a user: `/devices/*`. */
  paths: readonly string[];
  routes(app: App, deployment: Deployment): void;
  /** The groups of its operations in the OpenAPI document, with what each is about. */
  tags?: Readonly<Record<string, string>>;
  /** Schemas that several operations use, by their names in the document. */
  schemas?: NamedSchemas;
  /** Ends what it lets do without a token of the user (`DELETE /authority`). Repeated, it changes nothing. */
  endGrants?: EndsGrants;
}
