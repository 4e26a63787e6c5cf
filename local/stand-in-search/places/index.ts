import type { Place } from '../place';
import { kyoto } from './kyoto';
import { lisbon } from './lisbon';
import { oslo } from './oslo';
import { rome } from './rome';

/** To add a place, write its file and list it here. */
export const places: Place[] = [kyoto, lisbon, oslo, rome];
