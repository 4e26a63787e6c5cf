import type { Provider } from '../../core/base/models/provider';
import type { Model } from '../../core/conversations/agent/model';
import type { Prices } from '../../core/conversations/agent/prices';
import type { ModelKey } from './model-key';

/** What CallModel loads of a module (`core/module.ts`): the file `model.ts` of its folder exports it as `inModel`. */
export interface ModelModule<Spec = Provider> {
  name: string;
  /** The kinds of providers whose models it opens. */
  kinds: readonly Provider['kind'][];
  open(provider: Spec, by: Opening): Model;
}

/** What CallModel knows of a provider beside what its author has written. */
interface Opening {
  /** `noKey` for a provider without one. */
  key: ModelKey;
  /** The author's address, or that of the variable that replaces it. */
  baseURL?: string;
  prices: Prices;
}
