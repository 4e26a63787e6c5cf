import { registry } from '../../../core/registry';
import { front, side } from '../team';

/** The same team after a deployment that has done away with `back`. */
export const shipped = registry([{ ...front, handOffs: ['side'] }, side]);
